import type { Conversation, Message } from '@parlance/client/types';
import { withKnown } from './loaded-conversation.ts';

const page = (ids: string[], next_token: string | null): Conversation => ({
  conversation_id: 'c',
  bot_id: null,
  title: 'T',
  create_time: 1,
  last_message_time: 2,
  last_message_id: ids.at(-1)!,
  model: 'm',
  total_price: 0,
  temporary: false,
  project_id: null,
  pinned: false,
  memory: true,
  next_token,
  message_map: Object.fromEntries(ids.map((id) => [id, { message_id: id } as Message])),
});

describe('a conversation that is read again', () => {
  const first = withKnown(page(['b', 'c'], 'before-b'), undefined);

  it('keeps older loaded messages, and continues before them', () => {
    const withOlder = { ...first, messages: { ...first.messages, a: { message_id: 'a' } as Message }, next_token: 'before-a' };
    const again = withKnown(page(['c', 'd'], 'before-c'), withOlder);
    expect(Object.keys(again.messages).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(again.next_token).toBe('before-a');
  });
  it('drops older messages when there is a gap after them', () => {
    const again = withKnown(page(['x', 'y'], 'before-x'), first);
    expect([Object.keys(again.messages), again.next_token]).toEqual([['x', 'y'], 'before-x']);
  });
  it('keeps a message that is shown before the server has it, when all messages are loaded', () => {
    const begun = withKnown(page(['unsent-r'], null), undefined);
    expect(Object.keys(withKnown(page(['a', 'b'], null), begun).messages).toSorted()).toEqual(['a', 'b', 'unsent-r']);
  });
  it('has no page before the first message', () => {
    expect(withKnown(page(['a', 'b', 'c', 'd'], null), first)).toMatchObject({ next_token: null });
  });
});
