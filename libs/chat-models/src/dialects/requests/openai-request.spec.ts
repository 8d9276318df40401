import { afterAll, describe, expect, it } from '@jest/globals';
import type { DialectName } from '../../../test/provider-dialects.ts';
import { ALL_DIALECTS, question, schema, translatedRequests } from '../../../test/translated-requests.ts';
import { UnrulyProvider } from '../../../test/unruly-provider.ts';

const provider = await UnrulyProvider.open();
afterAll(() => provider.close());
const { sent, refusal } = translatedRequests(provider);

describe("a request in OpenAI's format", () => {
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } };

  it.each(ALL_DIALECTS)('is sent to a provider of the type %s with its parameters', async (type) => {
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
    for (const type of ALL_DIALECTS) {
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
