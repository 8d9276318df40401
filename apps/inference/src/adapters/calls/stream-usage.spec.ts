import { describe, expect, it } from '@jest/globals';
import { events } from '../../../test/calls/mock-provider.ts';
import { StreamUsage } from './stream-usage.ts';

const named = (event: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${event.type}\n${events(event)}`;
const delta = (text: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });

/** What the caller receives at once, and what only when the charge is recorded. */
function passed(stream: StreamUsage, ...parts: readonly string[]): readonly [now: string, later: string] {
  const now = parts.map((part) => stream.pass(Buffer.from(part)).toString()).join('');
  return [now, stream.end().toString()];
}

describe('the usage of a stream', () => {
  it.each([
    {
      dialect: 'openai',
      begin: events(chunk('data: [DONE]'), chunk(' and more')),
      report: events({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 900 } }),
      last: 'data: [DONE]\n\n',
      usage: { completion_tokens: 900 },
    },
    {
      dialect: 'anthropic',
      begin:
        named({ type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } }) + named(delta('event: message_stop')),
      report: named({ type: 'message_delta', usage: { output_tokens: 900 } }),
      last: named({ type: 'message_stop' }),
      usage: { output_tokens: 900 },
    },
  ] as const)('is read although the answer names the last event of its stream ($dialect)', ({ dialect, begin, report, last, usage }) => {
    const stream = new StreamUsage(dialect, true);
    expect(passed(stream, begin, report, last)).toEqual([begin + report, last]);
    expect(stream.report).toMatchObject(usage);
  });
  it('refuses a line without an end', () => {
    const stream = new StreamUsage('openai', true);
    const fill = () => {
      for (let part = 0; part < 128; part++) stream.pass(Buffer.alloc(64 * 1024, 'x'));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
  });
  it('keeps the last event in any division, and little of what follows it', () => {
    const stream = new StreamUsage('openai', true);
    expect(passed(stream, `${events(chunk('Hi'))}data: [DO`, 'NE]\n', '\n')).toEqual([events(chunk('Hi')), 'data: [DONE]\n\n']);
    for (let part = 0; part < 64; part++) stream.pass(Buffer.alloc(64 * 1024, '\n'));
    expect(stream.end().length).toBeLessThan(1024 * 1024);
  });
});
