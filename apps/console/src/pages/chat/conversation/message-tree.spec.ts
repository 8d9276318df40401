import type { Message } from '@parlance/client/types';
import { branchTo, isUnsent, merged, newestBelow, unsentId } from './message-tree.ts';

const message = (message_id: string, parent: string | null, children: string[] = []): Message => ({
  message_id,
  parent,
  children,
  role: message_id.startsWith('q') ? 'user' : 'assistant',
  status: 'completed',
  content: [],
  model: 'm',
  create_time: 0,
});
const mapOf = (...all: Message[]) => Object.fromEntries(all.map((each) => [each.message_id, each]));
const ids = (...turns: Parameters<typeof branchTo>) => branchTo(...turns).map((turn) => turn.message.message_id);

// q1 has two replies; the first of them two questions.
const tree = mapOf(
  message('q1', null, ['r1', 'r2']),
  message('r1', 'q1', ['q2', 'q3']),
  message('r2', 'q1'),
  message('q2', 'r1', ['r3']),
  message('q3', 'r1', ['r4']),
  message('r3', 'q2'),
  message('r4', 'q3'),
);

describe('the branch of a conversation', () => {
  it('goes from the first message to the last one', () => {
    expect(ids(tree, 'r3')).toEqual(['q1', 'r1', 'q2', 'r3']);
    expect(ids(tree, 'r2')).toEqual(['q1', 'r2']);
  });
  it('names the alternatives of each message', () => {
    expect(branchTo(tree, 'r3').map(({ siblings }) => siblings)).toEqual([['q1'], ['r1', 'r2'], ['q2', 'q3'], ['r3']]);
  });
  it('begins with the oldest message that is loaded', () => {
    const { q1: _, ...rest } = tree;
    expect(ids(rest, 'r3')).toEqual(['r1', 'q2', 'r3']);
  });
  it('contains a message that its parent does not name yet', () => {
    const withNew = { ...tree, q9: message('q9', 'r2') };
    expect(branchTo(withNew, 'q9').at(-1)!.siblings).toEqual(['q9']);
  });
  it('keeps unchanged messages, so that they are not rendered again', () => {
    const before = branchTo(tree, 'r3');
    const after = branchTo({ ...tree, q2: { ...tree['q2']!, model: 'other' } }, 'r3', before);
    expect(after.map((turn, index) => turn === before[index])).toEqual([true, true, false, true]);
    const withVersion = branchTo({ ...tree, r1: { ...tree['r1']!, children: ['q2', 'q3', 'q4'] } }, 'r3', before);
    expect(withVersion.map((turn, index) => turn === before[index])).toEqual([true, false, false, true]);
  });
  it('is empty without messages, and stops in a cycle', () => {
    expect(ids({}, 'x')).toEqual([]);
    expect(ids(mapOf(message('a', 'b'), message('b', 'a')), 'a')).toEqual(['b', 'a']);
  });
});

describe('the last message below another', () => {
  it('follows the newest answers', () => expect(newestBelow(tree, 'r1')).toBe('r4'));
  it('stops in a cycle', () => expect(newestBelow(mapOf(message('a', 'b', ['b']), message('b', 'a', ['a'])), 'a')).toBe('a'));
  it('skips answers that are not loaded', () => {
    const { q3: _, ...rest } = tree;
    expect(newestBelow(rest, 'r1')).toBe('r3');
  });
});

describe('messages of two answers', () => {
  it('keep loaded messages, and replace them by newer ones', () => {
    const newer = { ...message('r2', 'q1'), model: 'other' };
    expect(merged(tree, { r2: newer })).toMatchObject({ q1: { children: ['r1', 'r2'] }, r2: { model: 'other' } });
  });
  it('drop a provisional message once the server returns the real one', () => {
    const shown = { ...tree, [unsentId('r5')]: message(unsentId('r5'), 'r2') };
    expect(merged(shown, mapOf(message('r6', 'q9')))).toHaveProperty(unsentId('r5'));
    expect(merged(shown, mapOf(message('r5', 'q9')))).not.toHaveProperty(unsentId('r5'));
    expect([isUnsent(unsentId('r5')), isUnsent('r5')]).toEqual([true, false]);
  });
});
