import type { ReplyEvent } from '@parlance/client';
import type { UsedChunk } from '@parlance/client/types';
import { begun, isOver, received } from './live-reply.ts';

let last = 0;
const event = <Name extends ReplyEvent['event']>(name: Name, data: Extract<ReplyEvent, { event: Name }>['data']) =>
  ({ id: String(++last), event: name, data }) as ReplyEvent;
const after = (...events: ReplyEvent[]) => events.reduce(received, begun('c'));
const call = { call_id: '1', name: 'calculator', input: { expression: '1+1' } };

describe('a reply that is received', () => {
  it('has its reasoning, text and calls in their order', () => {
    const reply = after(
      event('reasoning', { text: 'Hm' }),
      event('reasoning', { text: '.' }),
      event('delta', { text: 'It ' }),
      event('tool', { ...call, status: 'running' }),
      event('tool', { ...call, status: 'succeeded', result: '2' }),
      event('delta', { text: 'is 2' }),
      event('delta', { text: '.' }),
    );
    expect(reply.parts).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'It ' },
      { kind: 'tool', callId: '1', name: 'calculator', input: { expression: '1+1' }, status: 'succeeded', result: '2', expiresAt: null },
      { kind: 'text', text: 'is 2.' },
    ]);
  });
  it('waits for a decision, and continues after it', () => {
    const waiting = after(event('approval', { ...call, expires_at: 9 }));
    expect([waiting.phase, waiting.parts]).toMatchObject(['waiting', [{ status: 'awaiting', expiresAt: 9 }]]);
    const decided = received(waiting, event('tool', { ...call, status: 'denied' }));
    expect([decided.phase, decided.parts]).toMatchObject(['writing', [{ status: 'denied' }]]);
  });
  it('starts over when it is restarted', () => {
    const reply = after(event('delta', { text: 'old' }), event('restarted', { message_id: 'r' }), event('delta', { text: 'new' }));
    expect(reply.parts).toEqual([{ kind: 'text', text: 'new' }]);
  });
  it('has each citation once', () => {
    const chunk = { rank: 1, content: 'x' } as UsedChunk;
    expect(after(event('citation', chunk), event('citation', chunk)).citations).toHaveLength(1);
  });
  it('ends with its tokens and cost, or with an error', () => {
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
    const done = after(event('done', { message_id: 'r', stop_reason: 'end_turn', usage, cost: 0.1 }));
    expect(done).toMatchObject({ phase: 'done', usage, cost: 0.1, stopReason: 'end_turn' });
    const failed = after(event('error', { code: 'model_failed', message: 'No.' }));
    expect(failed).toMatchObject({ phase: 'failed', error: { code: 'model_failed' } });
    expect([done, failed, begun('c')].map(isOver)).toEqual([true, true, false]);
  });
  it('knows where its stream continues', () => {
    const reply = after(event('delta', { text: 'x' }));
    expect(reply.lastEventId).toBe(String(last));
  });
});
