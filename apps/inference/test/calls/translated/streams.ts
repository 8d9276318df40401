import { events } from '../mock-provider.ts';

export type Named = { type: string; [field: string]: unknown };
export const named = (...all: readonly Named[]) => all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
export const eventsIn = (text: string): Named[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Named] : []));

export const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

/** A stream of Anthropic with a text and two calls of a tool. */
export const ofAnthropic = named(
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-upstream',
      content: [],
      usage: { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
  { type: 'content_block_stop', index: 0 },
  ...['Bern', 'Rome'].flatMap((city, nth) => [
    { type: 'content_block_start', index: nth + 1, content_block: { type: 'tool_use', id: `toolu_${nth}`, name: 'weather', input: {} } },
    { type: 'content_block_delta', index: nth + 1, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
    { type: 'content_block_delta', index: nth + 1, delta: { type: 'input_json_delta', partial_json: `"${city}"}` } },
    { type: 'content_block_stop', index: nth + 1 },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: 'message_stop' },
);

export const delta = (its: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-upstream',
  choices: [{ index: 0, delta: its, finish_reason }],
});
const called = (index: number, city: string) => [
  delta({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'weather', arguments: '' } }] }),
  delta({ tool_calls: [{ index, function: { arguments: '{"city":' } }] }),
  delta({ tool_calls: [{ index, function: { arguments: `"${city}"}` } }] }),
];
const reported = {
  choices: [],
  usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52, prompt_tokens_details: { cached_tokens: 30 } },
};
/** A stream of OpenAI with reasoning, a text and two calls of a tool. */
export const ofOpenAi = `${events(
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning_content: 'Two cities.' }),
  delta({ content: 'Let me ' }),
  delta({ content: 'look.' }),
  ...called(0, 'Bern'),
  ...called(1, 'Rome'),
  delta({}, 'tool_calls'),
  reported,
)}data: [DONE]\n\n`;
