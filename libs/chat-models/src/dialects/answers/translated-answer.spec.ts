import { afterAll, describe, expect, it } from '@jest/globals';
import { answerOf, translatedModel } from '../../../test/translated-calls.ts';
import { question, schema } from '../../../test/translated-requests.ts';
import { UnrulyProvider } from '../../../test/unruly-provider.ts';

const usage = { input: 100, output: 20, cacheRead: 60, cacheWrite: 30, cacheWriteHour: 10 };

const provider = await UnrulyProvider.open();
afterAll(() => provider.close());

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
