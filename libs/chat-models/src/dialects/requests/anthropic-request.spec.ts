import { afterAll, describe, expect, it } from '@jest/globals';
import type { DialectName } from '../../../test/provider-dialects.ts';
import { translatedModel } from '../../../test/translated-calls.ts';
import { ALL_DIALECTS, question, schema, translatedRequests } from '../../../test/translated-requests.ts';
import { UnrulyProvider } from '../../../test/unruly-provider.ts';

const provider = await UnrulyProvider.open();
afterAll(() => provider.close());
const { sent, refusal } = translatedRequests(provider);

describe("a request in Anthropic's format", () => {
  const tools = [{ name: 'weather', input_schema: schema }];
  const used = [...question.messages, { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input: {} }] }];

  it.each(ALL_DIALECTS)('is sent to a provider of the type %s with its parameters', async (type) => {
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
