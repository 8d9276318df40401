import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallsWorld, callsWorld } from './calls-world.ts';
import { beginEvents, json } from './mock-provider.ts';
import { ofAnthropic, ofOpenAi, weather } from './translated/streams.ts';

const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  'other',
  '\u0000\ud800',
  'long '.repeat(2_000),
  [],
  [null],
  [[{}]],
  {},
  { type: 'other' },
];
const AT_ONCE = 16;

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } };
const openAiTool = { type: 'function', function: { name: 'weather', description: 'Today', parameters: weather, strict: true } };
const chat = {
  messages: [
    { role: 'system', content: 'Be brief.', name: 'us' },
    { role: 'user', content: [{ type: 'text', text: 'Is it warm?' }, image], name: 'ann' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'warm' },
  ],
  tools: [openAiTool],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  parallel_tool_calls: true,
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: weather, strict: true } },
  max_tokens: 50,
  max_completion_tokens: 50,
  temperature: 0.5,
  top_p: 0.9,
  n: 1,
  seed: 7,
  stop: ['END'],
  stream: false,
  stream_options: { include_usage: true },
  user: 'somebody',
  metadata: { purpose: 'test' },
  reasoning_effort: 'low',
};
const responses = {
  instructions: 'Be brief.',
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Is it warm?' }] },
    { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'warm' },
  ],
  tools: [{ type: 'function', name: 'weather', parameters: weather, strict: true }],
  tool_choice: 'auto',
  text: { format: { type: 'json_schema', name: 'answer', schema: weather, strict: true } },
  reasoning: { effort: 'low' },
  include: ['reasoning.encrypted_content'],
  max_output_tokens: 50,
  temperature: 0.5,
  store: false,
  stream: false,
  metadata: { purpose: 'test' },
};
const messages = {
  max_tokens: 50,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        { type: 'text', text: 'Is it warm?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'One city.', signature: '' },
        { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Bern' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'warm' }], is_error: false }] },
  ],
  tools: [{ name: 'weather', description: 'Today', input_schema: weather }],
  tool_choice: { type: 'auto', disable_parallel_tool_use: false },
  thinking: { type: 'enabled', budget_tokens: 1_024 },
  stop_sequences: ['END'],
  temperature: 1,
  top_p: 0.9,
  stream: false,
  metadata: { user_id: 'somebody' },
};
/** Without what a provider of Anthropic's API is not asked for. */
const { seed: _seed, reasoning_effort: _effort, ...chatOfClaude } = chat;
const { reasoning: _reasoning, ...responseOfClaude } = responses;
const { max_tokens: _limit, stream: _stream, ...counted } = messages;

const calls: readonly (readonly [path: string, models: readonly string[], body: object])[] = [
  ['chat/completions', ['gpt', 'local-extractive'], chat],
  ['chat/completions', ['claude'], chatOfClaude],
  ['responses', ['gpt', 'local-extractive'], responses],
  ['responses', ['claude'], responseOfClaude],
  ['messages', ['claude', 'gpt', 'local-extractive'], messages],
  ['messages/count_tokens', ['claude', 'gpt'], counted],
  ['embeddings', ['vectors'], { input: ['one', 'two'], dimensions: 8, encoding_format: 'float', user: 'somebody' }],
  ['rerank', ['ranker'], { query: 'warm', documents: ['one', { text: 'two' }], top_n: 1, return_documents: true }],
  ['moderations', ['judge'], { input: [{ type: 'text', text: 'one' }] }],
  ['images/generations', ['painter'], { prompt: 'A cat.', n: 1, size: '1024x1024', quality: 'low', stream: false }],
  ['audio/speech', ['voice'], { input: 'Hello', voice: 'alloy', response_format: 'mp3', speed: 1 }],
];

/** The body with one place changed, for each place and each wrong value. */
function* wrongBodies(body: unknown): Generator<unknown> {
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    const changed = (to: unknown) => (Array.isArray(body) ? body.with(Number(name), to) : { ...body, [name]: to });
    for (const wrong of WRONG) yield changed(wrong);
    for (const inner of wrongBodies(value)) yield changed(inner);
  }
}

describe('a call in which one field is wrong', () => {
  let world: CallsWorld;
  beforeAll(async () => {
    world = await callsWorld();
    const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, input_tokens: 4, output_tokens: 2 };
    world.provider.respond = (res, { path, body }) => {
      const isAnthropic = path.startsWith('/v1/messages');
      if (!/"stream":\s*true/.test(body))
        return json(res, 200, { choices: [], data: [], content: [], output: [], results: [], input_tokens: 4, usage });
      beginEvents(res);
      return res.end(isAnthropic ? ofAnthropic : ofOpenAi);
    };
  });
  afterAll(() => world.stop());

  const formOf = (path: string) =>
    path.startsWith('messages')
      ? {
          type: 'error',
          error: { type: expect.any(String), message: expect.any(String), code: expect.any(String) },
          request_id: expect.any(String),
        }
      : { error: { type: expect.any(String), message: expect.any(String), code: expect.any(String), request_id: expect.any(String) } };

  it.each(calls.flatMap(([path, models, body]) => models.map((model) => [path, model, body] as const)))(
    'is answered or refused in the form of its API: %s of %s',
    async (path, model, body) => {
      const { headers } = world.caller();
      const bodies = [...wrongBodies({ model, ...body })].values();
      const problems: unknown[] = [];
      let count = 0;
      const first = await world.ask(`/v1/${path}`, headers, { model, ...body });
      expect([first.status, first.text]).toEqual([200, expect.any(String)]);
      const caller = async () => {
        for (const each of bodies) {
          count++;
          const { status, text, headers: its } = await world.ask(`/v1/${path}`, headers, each as object);
          const request = JSON.stringify(each);
          if (status >= 500 || !its['x-request-id']) problems.push([status, text.slice(0, 300), request.slice(0, 2_000)]);
          else if (status >= 400) {
            try {
              expect(JSON.parse(text)).toMatchObject(formOf(path));
            } catch {
              problems.push([status, text.slice(0, 300), request.slice(0, 2_000)]);
            }
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, caller));
      expect(problems.slice(0, 5)).toEqual([]);
      expect(count).toBeGreaterThan(40);
    },
    180_000,
  );
});
