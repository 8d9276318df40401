import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LLMock } from '@copilotkit/aimock';
import { collected, promptOf } from './collected.ts';
import { openProvider } from './open-provider.ts';
import { type DialectName, DIALECTS } from './provider-dialects.ts';

/** A third-party mock of the providers, so that the adapters do not depend only on our understanding of their APIs. */
describe.each(Object.keys(DIALECTS) as DialectName[])('a model of %s against aimock', (name) => {
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  const tool = {
    name: 'calculator',
    description: 'Computes.',
    inputSchema: { type: 'object', properties: { expression: { type: 'string' } } },
  };
  const asked = async (question: string) => {
    const model = openProvider(name, name === 'bedrock' ? mock.url : `${mock.url}/v1`);
    return collected(model.generate(promptOf({ question, tools: [tool] }), new AbortController().signal));
  };
  const usage = name.startsWith('openai_') ? { prompt_tokens: 21, completion_tokens: 9 } : { input_tokens: 21, output_tokens: 9 };

  beforeAll(async () => {
    mock.onMessage('hello', { content: 'Hi there, how are you?', usage });
    mock.onMessage('think', { content: 'Done.', reasoning: 'Let me think.', usage });
    mock.onMessage('long', { content: 'word '.repeat(500), finishReason: 'length', usage });
    mock.onMessage('busy', { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 3 });
    mock.onMessage('broken', { error: { message: 'Oops.', type: 'server_error' }, status: 500 });
    const toolCalls = [{ name: 'calculator', arguments: '{"expression":"1+1"}' }];
    mock.onMessage('compute', { content: 'Let me see.', toolCalls, usage });
    await mock.start();
  });
  afterAll(() => mock.stop());

  it('produces the text and the usage', async () => {
    const { text, end, error } = await asked('hello');
    expect([text, error]).toEqual(['Hi there, how are you?', null]);
    expect(end).toMatchObject({ stopReason: 'end_turn', usage: { inputTokens: 21, outputTokens: 9, estimated: false } });
  });
  it('produces calls of tools', async () => {
    const { text, calls, end } = await asked('compute');
    expect([text, end?.stopReason]).toEqual(['Let me see.', 'tool_calls']);
    expect(calls).toMatchObject([{ name: 'calculator', input: { expression: '1+1' }, fault: null }]);
  });
  it('produces reasoning', async () => expect(await asked('think')).toMatchObject({ reasoning: 'Let me think.', text: 'Done.' }));
  it('stops at the token limit', async () => {
    const { text, end } = await asked('long');
    // aimock never reports an answer of the Responses API as incomplete.
    expect([text.length, end?.stopReason]).toEqual([2_500, name === 'openai' ? 'end_turn' : 'max_tokens']);
  });
  it('fails if the provider is overloaded or broken', async () => {
    expect((await asked('busy')).error).toMatchObject({ code: 'provider_busy', retryAfterSeconds: 3 });
    expect((await asked('broken')).error).toMatchObject({ code: 'provider_unavailable' });
  });
});
