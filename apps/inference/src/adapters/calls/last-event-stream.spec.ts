import { describe, expect, it } from '@jest/globals';
import { events } from '../../../test/calls/mock-provider.ts';
import { LastEventStream } from './last-event-stream.ts';

const named = (event: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${event.type}\n${events(event)}`;
const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 900 };
const delta = (text: string) => ({ type: 'response.output_text.delta', delta: text });
const ended = (type: string, more: object = {}) => ({ type, response: { object: 'response', output: [{ text: 'Hi' }], usage, ...more } });
const begin = named({ type: 'response.created', response: { usage: null } }) + named(delta('"type":"response.completed"'));

/** A stream, and the bytes that its reader holds. */
function opened() {
  const held = { bytes: 0, add: (bytes: number) => void (held.bytes += bytes) };
  return { stream: new LastEventStream(held), held };
}

/** What the caller receives at once, and what only when the charge is recorded. */
function passed(stream: LastEventStream, ...parts: readonly string[]): readonly [now: string, later: string] {
  const now = parts.map((part) => stream.pass(Buffer.from(part)).toString()).join('');
  return [now, stream.end().toString()];
}

describe('a stream whose last event has its usage', () => {
  it.each(['completed', 'incomplete', 'failed'])('is read in any division, and its last event is kept back (%s)', async (status) => {
    const last = named(ended(`response.${status}`));
    for (const at of [7, 60, begin.length, begin.length + 10, begin.length + 30, begin.length + last.length - 1]) {
      const { stream } = opened();
      const whole = begin + last;
      expect(passed(stream, whole.slice(0, at), whole.slice(at))).toEqual([begin, last]);
      await stream.settle();
      expect([stream.report, stream.isFinal]).toEqual([usage, true]);
    }
  });
  it('may have no names of events', async () => {
    const { stream } = opened();
    const last = `${events(ended('response.completed'))}data: [DONE]\n\n`;
    expect(passed(stream, events(delta('Hi')), last)).toEqual([events(delta('Hi')), last]);
    await stream.settle();
    expect(stream.report).toEqual(usage);
  });
  it('has no report if it broke off, and is counted by its texts', async () => {
    const { stream } = opened();
    passed(stream, begin, named(delta(' two')), named({ type: 'response.output_text.done', text: 'not again' }));
    await stream.settle();
    expect([stream.report, stream.hasLast, stream.texts()]).toEqual([null, false, { text: '"type":"response.completed" two', share: 1 }]);
  });
  it('may end with images, which are held until the charge is recorded, and not parsed', async () => {
    const { stream, held } = opened();
    const last = named(ended('response.completed', { output: [{ result: 'A'.repeat(8 * 1024 * 1024) }] }));
    for (let at = 0; at < last.length; at += 65_536) stream.pass(Buffer.from(last.slice(at, at + 65_536)));
    expect(held.bytes).toBe(last.length);
    await stream.settle();
    expect(stream.report).toEqual(usage);
  });
  it('refuses an event without an end, and holds nothing of what has passed', () => {
    const { stream, held } = opened();
    passed(stream, begin);
    expect(held.bytes).toBe(0);
    const fill = () => {
      for (let part = 0; part < 1_024; part++) stream.pass(Buffer.alloc(64 * 1024, 'x'));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
  });
});
