import { describe, expect, it } from '@jest/globals';
import { anthropicAnswer, AnthropicEvents } from './anthropic-answer.ts';
import type { AnswerPart } from './answer-parts.ts';

const eventsOf = (...parts: readonly AnswerPart[]) => {
  const events = new AnthropicEvents({ id: '1', model: 'm', created: 0 });
  return parts
    .map((part) => events.part(part))
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as { type: string; index: number; delta?: { partial_json?: string } });
};

describe('events in the format of Anthropic', () => {
  it('have one block after the other, also if the parts of two calls arrive mixed', () => {
    const events = eventsOf(
      { type: 'call', id: 'a', name: 'one' },
      { type: 'call', id: 'b', name: 'two' },
      { type: 'input', id: 'b', text: '2' },
      { type: 'input', id: 'a', text: '1' },
      { type: 'text', text: 'x' },
      { type: 'call-end', id: 'b' },
      { type: 'call-end', id: 'a' },
    );
    expect(events.map(({ type, index, delta }) => [type.replace('content_block_', ''), index, delta?.partial_json])).toEqual([
      ['start', 0, undefined],
      ['delta', 0, '1'],
      ['stop', 0, undefined],
      ['start', 1, undefined],
      ['delta', 1, '2'],
      ['stop', 1, undefined],
      ['start', 2, undefined],
      ['delta', 2, undefined],
    ]);
  });
  it('have the signature of reasoning at its end', () =>
    expect(eventsOf({ type: 'reasoning', text: 'Hm.' }, { type: 'signature', signature: 's' }, { type: 'text', text: 'x' })).toMatchObject([
      { index: 0, content_block: { type: 'thinking' } },
      { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { index: 0, delta: { type: 'signature_delta', signature: 's' } },
      { type: 'content_block_stop', index: 0 },
      { index: 1, content_block: { type: 'text' } },
      { index: 1, delta: { type: 'text_delta', text: 'x' } },
    ]));
});

it("keeps an input that is not JSON in a whole answer, because Anthropic's SDKs expect an object", () => {
  const end = { type: 'end', reason: 'tool_calls', usage: { inputTokens: {}, outputTokens: {} } as never } as const;
  const blocks = [{ type: 'call', id: 'a', name: 'weather', input: '{"city":' }] as const;
  expect(anthropicAnswer({ id: '1', model: 'm', created: 0 }, { blocks, end })).toMatchObject({
    content: [{ type: 'tool_use', id: 'a', input: { input: '{"city":' } }],
  });
});
