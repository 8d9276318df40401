import type { ReplyEvent } from '@parlance/client';
import type { UsedChunk } from '@parlance/client/types';
import { type Turn, turnAfter } from './try-turn.ts';

const initial: Turn = { question: 'Why?', text: '', tools: [], citations: [], state: 'writing', note: '', cost: null };
const event = <Name extends ReplyEvent['event']>(name: Name, data: Extract<ReplyEvent, { event: Name }>['data']) =>
  ({ id: '1', event: name, data }) as ReplyEvent;
const after = (...events: ReplyEvent[]) => events.reduce(turnAfter, initial);
const call = { call_id: '1', name: 'calculator', input: {} };
const usage = { input_tokens: 10, output_tokens: 3, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };

describe('a trial of a bot', () => {
  it('shows the text, each tool once, the sources, and the cost of all tokens', () => {
    const turn = after(
      event('reasoning', { text: 'Hm.' }),
      event('tool', { ...call, status: 'running' }),
      event('tool', { ...call, status: 'succeeded', result: '2' }),
      event('delta', { text: 'It is ' }),
      event('delta', { text: '2.' }),
      event('citation', { rank: 1 } as UsedChunk),
      event('done', { message_id: 'r', stop_reason: 'end_turn', usage, cost: 0.1 }),
    );
    expect(turn).toMatchObject({ text: 'It is 2.', tools: ['calculator'], citations: [{ rank: 1 }], state: 'done' });
    expect(turn.cost).toEqual({ dollars: 0.1, tokens: 13 });
  });
  it('starts over when it is restarted', () =>
    expect(after(event('delta', { text: 'old' }), event('restarted', { message_id: 'r' }))).toEqual(initial));
  it('stops at a call that needs an approval, and reports it', () => {
    const turn = after(event('approval', { ...call, expires_at: 1 }));
    expect([turn.state, turn.note]).toEqual(['stopped', expect.stringMatching(/./)]);
  });
  it('shows why a reply failed', () =>
    expect(after(event('error', { code: 'model_failed', message: 'The model failed.' }))).toMatchObject({
      state: 'failed',
      note: 'The model failed.',
    }));
});
