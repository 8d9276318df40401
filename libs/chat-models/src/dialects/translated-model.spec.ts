import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DialectName } from '../../test/provider-dialects.ts';
import { answerOf, translatedModel } from '../../test/translated-calls.ts';
import { UnrulyProvider } from '../../test/unruly-provider.ts';
import type { ModelSettings } from '../providers/open-chat-model.ts';
import { UntranslatableRequest } from './requests/request-fields.ts';
import type { TranslatedFormat } from './translation-target.ts';

const ALL = ['openai', 'openai_compatible', 'anthropic', 'bedrock'] as const satisfies readonly DialectName[];
const question = { model: 'm', max_tokens: 4_000, messages: [{ role: 'user', content: 'Is it warm?' }] };
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const usage = { input: 100, output: 20, cacheRead: 60, cacheWrite: 30, cacheWriteHour: 10 };

let provider: UnrulyProvider;
beforeAll(async () => void (provider = await UnrulyProvider.open()));
afterAll(() => provider.close());
beforeEach(() => void (provider.behave = () => ({ does: 'answer', text: ['Hello'], usage: { input: 10, output: 1 } })));

const sent = async (type: DialectName, format: TranslatedFormat, body: object, entry: Partial<ModelSettings> = {}) => {
  await answerOf(translatedModel(type, provider.url, entry), format, body);
  return provider.calls.at(-1)!.body;
};
const refusal = (type: DialectName, format: TranslatedFormat, body: object, entry: Partial<ModelSettings> = {}) =>
  translatedModel(type, provider.url, entry)
    .translated(format, body)
    .then(() => null)
    .catch((error: unknown) => (error instanceof UntranslatableRequest ? [error.code, error.path] : error));

describe("a request in OpenAI's format", () => {
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } };

  it.each(ALL)('is sent to a provider of the type %s with its parameters', async (type) => {
    const body = JSON.stringify(
      await sent(type, 'openai', {
        ...question,
        messages: [{ role: 'system', content: 'Be brief.' }, ...question.messages],
        temperature: 0.4,
        stop: ['END'],
        tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
        tool_choice: { type: 'function', function: { name: 'weather' } },
      }),
    );
    for (const text of ['Be brief.', 'Is it warm?', '0.4', '"END"', '"weather"', '"city"', '4000']) expect(body).toContain(text);
  });
  it('asks Anthropic and Amazon Bedrock for reasoning within the limit of the caller', async () => {
    const effort = { ...question, reasoning_effort: 'medium' };
    expect(await sent('anthropic', 'openai', effort)).toMatchObject({
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    });
    expect(await sent('bedrock', 'openai', effort)).toMatchObject({
      inferenceConfig: { maxTokens: 4_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    });
    expect(await sent('anthropic', 'openai', effort, { model: 'claude-opus-5-5' })).toMatchObject({ output_config: { effort: 'medium' } });
    expect(await sent('anthropic', 'openai', { ...effort, max_tokens: 1_500 })).not.toHaveProperty('thinking');
    expect(await sent('anthropic', 'openai', { ...effort, reasoning_effort: 'none' })).not.toHaveProperty('thinking');
  });
  it('asks for no reasoning between the calls of a tool, because Anthropic would need what it thought before', async () => {
    const messages = [
      ...question.messages,
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'warm' },
    ];
    const body = { ...question, messages, reasoning_effort: 'medium', tools: [{ type: 'function', function: { name: 'weather' } }] };
    expect(await sent('anthropic', 'openai', body)).not.toHaveProperty('thinking');
    expect(
      await sent('anthropic', 'openai', { ...body, messages: [...messages, { role: 'user', content: 'And now?' }] }),
    ).not.toHaveProperty('thinking');
    const later = [...messages, { role: 'assistant', content: 'Warm.' }, { role: 'user', content: 'And there?' }];
    expect(await sent('anthropic', 'openai', { ...body, messages: later })).toHaveProperty('thinking');
  });
  it('keeps a JSON schema for the answer', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } };
    for (const type of ['anthropic', 'bedrock'] as const)
      expect(JSON.stringify(await sent(type, 'openai', { ...question, response_format }))).toContain('"city"');
  });
  it('has its instructions first for providers that take them only there', async () => {
    const messages = [...question.messages, { role: 'developer', content: 'Be brief.' }, { role: 'user', content: 'Now?' }];
    expect(await sent('bedrock', 'openai', { ...question, messages })).toMatchObject({ system: [{ text: 'Be brief.' }] });
    expect(await sent('anthropic', 'openai', { ...question, messages })).toMatchObject({ system: [{ text: 'Be brief.' }] });
  });
  it('has the address of an image only as one of the web', async () => {
    const messages = (url: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    expect(JSON.stringify(await sent('anthropic', 'openai', { ...question, messages: messages('https://example.org/a.png') }))).toContain(
      '{"type":"url","url":"https://example.org/a.png"}',
    );
    for (const url of ['file:///etc/passwd', 's3://bucket/key', 'a.png'])
      expect(await refusal('bedrock', 'openai', { ...question, messages: messages(url) })).toEqual([
        'unsupported_parameter',
        'messages[0].content[0].image_url.url',
      ]);
  });
  it('has no file that the SDK would decode to a text', async () => {
    const url = `data:text/plain;base64,${Buffer.from('hidden').toString('base64')}`;
    const of = (part: object) => ({ ...question, messages: [{ role: 'user', content: [part] }] });
    for (const type of ALL) {
      expect(await refusal(type, 'openai', of({ type: 'file', file: { file_data: url } }))).toEqual([
        'unsupported_parameter',
        'messages[0].content[0].file.file_data',
      ]);
      const source = { type: 'base64', media_type: 'Text/html', data: 'aGlkZGVu' };
      expect(await refusal(type, 'anthropic', of({ type: 'document', source }))).toEqual([
        'unsupported_parameter',
        'messages[0].content[0].source.media_type',
      ]);
    }
  });
  it.each<[DialectName, object, string]>([
    ['anthropic', { n: 2 }, 'n'],
    ['anthropic', { frequency_penalty: 1 }, 'frequency_penalty'],
    ['bedrock', { parallel_tool_calls: false }, 'parallel_tool_calls'],
    ['anthropic', { seed: 1 }, 'seed'],
    ['openai', { top_k: 1 }, 'top_k'],
    ['anthropic', { modalities: ['text', 'audio'] }, 'modalities'],
    ['anthropic', { prediction: {} }, 'prediction'],
    ['anthropic', { tools: [{ type: 'custom', custom: {} }] }, 'tools[0].type'],
    ['anthropic', { tools: [{ type: 'function', function: { name: 'a', more: 1 } }] }, 'tools[0].function.more'],
    ['anthropic', { tool_choice: { type: 'allowed_tools' } }, 'tool_choice'],
    ['anthropic', { reasoning_effort: 'endless' }, 'reasoning_effort'],
    // What every object has.
    ['anthropic', { reasoning_effort: 'toString' }, 'reasoning_effort'],
    ['anthropic', { messages: [] }, 'messages'],
  ])('is refused by its name for %s: %j', async (type, field, path) =>
    expect(await refusal(type, 'openai', { ...question, ...field })).toEqual(['unsupported_parameter', path]),
  );
  it.each<[object, string]>([
    [{ messages: 1 }, 'messages'],
    [{ messages: ['a'] }, 'messages[0]'],
    [{ messages: [{ role: 'tool', tool_call_id: 'x', content: 'a' }] }, 'messages[0].tool_call_id'],
    [{ temperature: 'hot' }, 'temperature'],
    [{ stop: 1 }, 'stop'],
    [{ messages: Array.from({ length: 5_001 }, () => question.messages[0]) }, 'messages[5000].content'],
    [{ messages: [{ role: 'assistant', tool_calls: Array.from({ length: 5_000 }, () => call) }] }, 'messages[0].tool_calls[4999].content'],
  ])('is refused as invalid: %#', async (field, path) =>
    expect(await refusal('anthropic', 'openai', { ...question, ...field })).toEqual(['invalid_body', path]),
  );
  it('takes fields that change nothing', async () => {
    const fields = {
      n: 1,
      logprobs: false,
      logit_bias: {},
      user: 'u',
      metadata: { a: 'b' },
      seed: null,
      prediction: null,
      presence_penalty: 0,
      store: false,
    };
    expect(await refusal('anthropic', 'openai', { ...question, ...fields })).toBeNull();
  });
  it('is refused by an effort for a model that does not reason, except for none', async () => {
    const effort = (reasoning_effort: string) => refusal('anthropic', 'openai', { ...question, reasoning_effort }, { capabilities: [] });
    expect(await effort('low')).toEqual(['unsupported_parameter', 'reasoning_effort']);
    expect(await effort('none')).toBeNull();
  });
  it('has the newer one of two names for its longest answer', async () =>
    expect(await sent('anthropic', 'openai', { ...question, max_completion_tokens: 300 })).toMatchObject({ max_tokens: 300 }));
  it('allows one call of a tool at a time, if its caller wants so', async () => {
    const tools = [{ type: 'function', function: { name: 'weather' } }];
    const choice = async (parallel_tool_calls: boolean) =>
      (await sent('anthropic', 'openai', { ...question, tools, parallel_tool_calls }))['tool_choice'];
    expect([await choice(false), await choice(true)]).toEqual([{ type: 'auto', disable_parallel_tool_use: true }, undefined]);
  });
  it('keeps what the model refused earlier', async () => {
    const messages = [
      ...question.messages,
      { role: 'assistant', content: null, refusal: 'I cannot say.' },
      { role: 'user', content: 'Why?' },
    ];
    expect(await sent('anthropic', 'openai', { ...question, messages })).toMatchObject({
      messages: [{}, { role: 'assistant', content: [{ text: 'I cannot say.' }] }, {}],
    });
  });
});

describe("a request in Anthropic's format", () => {
  const tools = [{ name: 'weather', input_schema: schema }];
  const used = [...question.messages, { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input: {} }] }];

  it.each(ALL)('is sent to a provider of the type %s with its parameters', async (type) => {
    const body = JSON.stringify(
      await sent(type, 'anthropic', {
        ...question,
        system: 'Be brief.',
        temperature: 0.4,
        ...(type !== 'openai' && { stop_sequences: ['END'] }),
        tools,
        tool_choice: { type: 'any' },
      }),
    );
    for (const text of ['Be brief.', 'Is it warm?', '0.4', '"weather"', '"city"', '4000']) expect(body).toContain(text);
  });
  it('has an effort of reasoning for providers that take one', async () => {
    const thinking = { type: 'enabled', budget_tokens: 3_000 };
    expect(await sent('openai_compatible', 'anthropic', { ...question, thinking })).toMatchObject({ reasoning_effort: 'medium' });
    expect(await sent('openai', 'anthropic', { ...question, thinking }, { model: 'gpt-6.1-sol' })).toMatchObject({
      reasoning_effort: 'medium',
    });
    expect(
      await sent('openai_compatible', 'anthropic', { ...question, thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }),
    ).toMatchObject({ reasoning_effort: 'low' });
    expect(await sent('openai_compatible', 'anthropic', { ...question, thinking }, { capabilities: [] })).not.toHaveProperty(
      'reasoning_effort',
    );
  });
  it('has its marks of a cache and its signed reasoning for Amazon Bedrock', async () => {
    const cache_control = { type: 'ephemeral' };
    const body = await sent('bedrock', 'anthropic', {
      ...question,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      tools,
      messages: [
        ...question.messages,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Where?', signature: 'signed' },
            { type: 'tool_use', id: 't', name: 'weather', input: { city: 'Bern' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'warm', cache_control }] },
      ],
    });
    expect(body).toMatchObject({
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
      messages: [
        {},
        {
          content: [
            { reasoningContent: { reasoningText: { text: 'Where?', signature: 'signed' } } },
            { toolUse: { toolUseId: 't', name: 'weather', input: { city: 'Bern' } } },
          ],
        },
        { content: [{ toolResult: { toolUseId: 't' } }, { cachePoint: { type: 'default' } }] },
      ],
      // What it thought before its call is known.
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    });
  });
  it('has one mark of a cache for results of tools and the text after them', async () => {
    const { prompt } = await translatedModel('bedrock', provider.url).translated('anthropic', {
      ...question,
      messages: [
        ...used,
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: 'warm' },
            { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    });
    expect(prompt.slice(-2).map((message) => [message.role, 'providerOptions' in message])).toEqual([
      ['tool', false],
      ['user', true],
    ]);
  });
  it('has no signed reasoning for providers that did not sign it', async () => {
    const thinking = [
      { type: 'thinking', thinking: 'Where?', signature: 'signed' },
      { type: 'redacted_thinking', data: 'hidden' },
    ];
    const messages = [...question.messages, { role: 'assistant', content: [...thinking, { type: 'text', text: 'Warm.' }] }];
    const { prompt } = await translatedModel('openai_compatible', provider.url).translated('anthropic', { ...question, messages });
    expect(prompt.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Warm.' }] });
  });
  it('says which results of tools are errors', async () => {
    const result = (is_error: boolean) => ({ type: 'tool_result', tool_use_id: 't', content: 'no network', is_error });
    const { prompt } = await translatedModel('openai', provider.url).translated('anthropic', {
      ...question,
      messages: [...used, { role: 'user', content: [result(true), result(false)] }],
    });
    expect(prompt.at(-1)).toMatchObject({ content: [{ output: { type: 'error-text' } }, { output: { type: 'text' } }] });
  });
  it('has images of the result of a tool in the next message for providers whose results are texts', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const messages = [
      ...question.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [image] }] },
    ];
    const { messages: got } = (await sent('openai_compatible', 'anthropic', { ...question, tools, messages })) as { messages: object[] };
    expect(got.slice(-2)).toMatchObject([
      { role: 'tool', content: 'The result is in the next message.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
    ]);
  });
  it('keeps a JSON schema for the answer', async () =>
    expect(
      await sent('openai_compatible', 'anthropic', { ...question, output_config: { format: { type: 'json_schema', schema } } }),
    ).toMatchObject({ response_format: { type: 'json_schema', json_schema: { schema } } }));
  it.each<[DialectName, object, string]>([
    ['openai_compatible', { top_k: 1 }, 'top_k'],
    ['openai_compatible', { container: 'c' }, 'container'],
    ['openai_compatible', { tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type'],
    ['bedrock', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, 'tool_choice.disable_parallel_tool_use'],
    ['openai', { thinking: { type: 'other' } }, 'thinking.type'],
    [
      'openai',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
      'messages[0].content[0].source.type',
    ],
  ])('is refused by its name for %s: %j', async (type, field, path) =>
    expect(await refusal(type, 'anthropic', { ...question, ...field })).toEqual(['unsupported_parameter', path]),
  );
  it.each<[object, string]>([
    [{ type: 'tool_result', tool_use_id: 'x', content: 'warm' }, 'messages[2].content[0].tool_use_id'],
    [
      { type: 'tool_result', tool_use_id: 't', content: Array.from({ length: 5_000 }, () => ({ type: 'text', text: 'warm' })) },
      'messages[2].content[0].content[4995].content',
    ],
  ])('is refused as invalid: %#', async (block, path) =>
    expect(await refusal('openai', 'anthropic', { ...question, messages: [...used, { role: 'user', content: [block] }] })).toEqual([
      'invalid_body',
      path,
    ]),
  );
});

describe("a request in the format of OpenAI's Responses", () => {
  const asked = { model: 'm', max_output_tokens: 4_000 };

  it.each(['anthropic', 'bedrock'] as const)('is sent to a provider of the type %s with its items and parameters', async (type) => {
    const body = JSON.stringify(
      await sent(type, 'responses', {
        ...asked,
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Is it warm?' }] },
          { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'secret' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }] },
          { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"city":"Bern"}' },
          { type: 'function_call_output', call_id: 'c', output: 'warm enough' },
        ],
        temperature: 0.4,
        tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }],
        tool_choice: 'auto',
        store: false,
        include: ['reasoning.encrypted_content'],
      }),
    );
    for (const text of ['Be brief.', 'Is it warm?', 'Let me look.', '"Bern"', 'warm enough', '0.4', '4000']) expect(body).toContain(text);
    expect(body).not.toContain('secret');
  });
  it('has its calls in one message with the text before them', async () => {
    const { messages } = (await sent('anthropic', 'responses', {
      ...asked,
      tools: [{ type: 'function', name: 'weather' }],
      input: [
        { role: 'user', content: 'Is it warm?' },
        { role: 'assistant', content: 'Let me look.' },
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '' },
        { type: 'function_call', call_id: 'b', name: 'weather', arguments: '' },
        { type: 'function_call_output', call_id: 'a', output: 'warm' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'cold' }] },
      ],
    })) as { messages: { role: string; content: { type: string }[] }[] };
    expect(messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result']],
    ]);
  });
  it.each<[object, string]>([
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ truncation: 'auto' }, 'truncation'],
    [{ include: ['message.output_text.logprobs'] }, 'include'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }, 'input[0].content[0].input_image'],
    [{ text: { format: { type: 'json_object' } } }, 'text.format'],
    [{ input: [] }, 'input'],
  ])('is refused by its name: %j', async (field, path) =>
    expect(await refusal('anthropic', 'responses', { ...asked, input: 'Is it warm?', ...field })).toEqual(['unsupported_parameter', path]),
  );
});

describe('an answer', () => {
  const calls = [
    { id: 'a', name: 'weather', input: '{"city":"Bern"}' },
    { id: 'b', name: 'weather', input: '{"city":"Rome"}' },
  ];
  const asked = { ...question, tools: [{ name: 'weather', input_schema: schema }] };
  const askedOpenAi = { ...question, tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }] };

  it.each(['anthropic', 'bedrock'] as const)("of a provider of the type %s is written in OpenAI's format", async (type) => {
    provider.behave = () => ({ does: 'answer', reasoning: ['Hm.'], text: ['Warm', '.'], calls, usage });
    const whole = JSON.parse(await answerOf(translatedModel(type, provider.url), 'openai', askedOpenAi)) as object;
    expect(whole).toMatchObject({
      choices: [
        {
          message: {
            content: 'Warm.',
            reasoning_content: 'Hm.',
            tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })),
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
    });
  });
  it.each(['openai', 'openai_compatible', 'bedrock'] as const)(
    "of a provider of the type %s is written in Anthropic's format",
    async (type) => {
      provider.behave = () => ({ does: 'answer', text: ['Warm', '.'], calls, usage });
      expect(JSON.parse(await answerOf(translatedModel(type, provider.url), 'anthropic', asked))).toMatchObject({
        content: [
          { type: 'text', text: 'Warm.' },
          ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: JSON.parse(input) as object })),
        ],
        stop_reason: 'tool_use',
        usage:
          type === 'bedrock'
            ? {
                input_tokens: 10,
                cache_read_input_tokens: 60,
                cache_creation_input_tokens: 30,
                cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
                output_tokens: 20,
              }
            : { input_tokens: 40, cache_read_input_tokens: 60, cache_creation_input_tokens: 0, output_tokens: 20 },
      });
    },
  );
  it.each([
    ['end', 'stop', 'end_turn'],
    ['length', 'length', 'max_tokens'],
    ['filtered', 'content_filter', 'refusal'],
  ] as const)('that stopped by %s says why', async (stop, finish_reason, stop_reason) => {
    provider.behave = () => ({ does: 'answer', text: ['Warm'], stop, usage });
    expect(JSON.parse(await answerOf(translatedModel('anthropic', provider.url), 'openai', question))).toMatchObject({
      choices: [{ finish_reason }],
    });
    expect(JSON.parse(await answerOf(translatedModel('openai_compatible', provider.url), 'anthropic', question))).toMatchObject({
      stop_reason,
    });
  });
  it('is written as a response of OpenAI', async () => {
    provider.behave = () => ({ does: 'answer', reasoning: ['Hm.'], text: ['Warm', '.'], calls, usage });
    const input = { model: 'm', max_output_tokens: 4_000, input: 'Is it warm?', tools: [{ type: 'function', name: 'weather' }] };
    expect(JSON.parse(await answerOf(translatedModel('anthropic', provider.url), 'responses', input))).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Warm.' }] },
        ...calls.map((call) => ({ type: 'function_call', call_id: call.id, name: 'weather', arguments: call.input })),
      ],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
        output_tokens: 20,
        total_tokens: 120,
      },
    });
    provider.behave = () => ({ does: 'answer', text: ['Warm'], stop: 'length', usage });
    expect(JSON.parse(await answerOf(translatedModel('bedrock', provider.url), 'responses', input))).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    for (const stop of ['length', 'filtered'] as const) {
      provider.behave = () => ({ does: 'answer', text: ['Warm'], stop, usage });
      const events = await answerOf(translatedModel('anthropic', provider.url), 'responses', input, true);
      expect(events.match(/^event: (.*)$/gm)?.at(-1)).toBe('event: response.incomplete');
    }
  });
  it('has no usage if the provider reports none', async () => {
    provider.behave = () => ({ does: 'answer', text: ['Warm'], usage: null });
    expect(JSON.parse(await answerOf(translatedModel('openai_compatible', provider.url), 'anthropic', question))).toMatchObject({
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect(JSON.parse(await answerOf(translatedModel('bedrock', provider.url), 'openai', question))).not.toHaveProperty('usage');
  });
  it('fails if the provider breaks off', async () => {
    provider.behave = () => ({ does: 'stop short', after: 1 });
    for (const [type, format] of [
      ['anthropic', 'openai'],
      ['openai_compatible', 'anthropic'],
    ] as const)
      await expect(answerOf(translatedModel(type, provider.url), format, question, true)).rejects.toThrow();
  });
});
