import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collected, promptOf, type PromptParts } from '../../test/collected.ts';
import { openProvider } from '../../test/open-provider.ts';
import type { DialectName } from '../../test/provider-dialects.ts';
import { UnrulyProvider } from '../../test/unruly-provider.ts';
import { baseUrlOf, hasCredentials, type ModelSettings, type ProviderSettings } from './open-chat-model.ts';

const none = { base_url: null, api_key: null, region: null, access_key_id: null, secret_access_key: null };

describe('a configured provider', () => {
  it.each<[boolean, Partial<ProviderSettings> & Pick<ProviderSettings, 'type'>]>([
    [true, { type: 'local' }],
    [false, { type: 'openai' }],
    [true, { type: 'openai', api_key: 'k' }],
    [false, { type: 'anthropic' }],
    [true, { type: 'anthropic', api_key: 'k' }],
    [false, { type: 'openai_compatible', api_key: 'k' }],
    [true, { type: 'openai_compatible', base_url: 'http://ollama:11434/v1' }],
    [false, { type: 'bedrock', region: 'eu-west-1' }],
    [false, { type: 'bedrock', api_key: 'k' }],
    [false, { type: 'bedrock', region: 'eu-west-1', access_key_id: 'a' }],
    [true, { type: 'bedrock', region: 'eu-west-1', api_key: 'k' }],
    [true, { type: 'bedrock', region: 'eu-west-1', access_key_id: 'a', secret_access_key: 's' }],
  ])('has credentials: %j for %j', (has, settings) => expect(hasCredentials({ ...none, ...settings })).toBe(has));

  it.each<[string | null, Partial<ProviderSettings> & Pick<ProviderSettings, 'type'>]>([
    ['https://api.openai.com/v1', { type: 'openai' }],
    ['http://vllm/v1', { type: 'openai_compatible', base_url: 'http://vllm/v1/' }],
    ['https://bedrock-runtime.eu-west-1.amazonaws.com', { type: 'bedrock', region: 'eu-west-1' }],
    ['https://bedrock-runtime.cn-north-1.amazonaws.com.cn', { type: 'bedrock', region: 'cn-north-1' }],
    [null, { type: 'local' }],
  ])('is called at %j', (url, settings) => expect(baseUrlOf({ ...none, ...settings })).toBe(url));
});

const chunk = {
  content: 'A refund takes fourteen days.',
  content_type: 'text',
  source: 'a.pdf',
  source_name: 'a.pdf',
  source_id: 's',
  page_number: null,
  heading: null,
  rank: 1,
  score: 1,
} as const;

describe('a call', () => {
  let provider: UnrulyProvider;
  beforeAll(async () => void (provider = await UnrulyProvider.open()));
  afterAll(() => provider.close());

  const sent = async (
    type: DialectName,
    prompt: PromptParts,
    entry: Partial<ModelSettings> = {},
    settings: Partial<ProviderSettings> = {},
  ) => {
    const { error } = await collected(
      openProvider(type, provider.url, entry, settings).generate(promptOf(prompt), new AbortController().signal),
    );
    expect(error).toBeNull();
    return provider.calls.at(-1)!;
  };
  const reasoning = { parameters: { reasoningTokens: 4_000 } };

  it('has the configured key', async () => {
    expect((await sent('openai', {})).headers).toMatchObject({ authorization: 'Bearer sk-secret' });
    expect((await sent('openai_compatible', {})).headers).toMatchObject({ authorization: 'Bearer sk-secret' });
    expect((await sent('anthropic', {})).headers).toMatchObject({ 'x-api-key': 'sk-secret' });
    expect((await sent('bedrock', {})).headers).toMatchObject({ authorization: 'Bearer sk-secret' });
  });
  it('is signed with the access key if Amazon Bedrock has no API key', async () => {
    const { headers } = await sent('bedrock', {}, {}, { api_key: null, access_key_id: 'AKIA', secret_access_key: 'secret' });
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIA\/\d+\/us-east-1\/bedrock/);
  });
  it('has no key if a compatible server needs none', async () =>
    expect((await sent('openai_compatible', {}, {}, { api_key: null })).headers.authorization).toBeUndefined());
  it('asks OpenAI not to store it', async () => expect((await sent('openai', {})).body).toMatchObject({ store: false }));
  it('asks a compatible server for the usage', async () =>
    expect((await sent('openai_compatible', {})).body).toMatchObject({ stream_options: { include_usage: true } }));

  it('marks the instruction and the question for the cache of Anthropic and Amazon Bedrock', async () => {
    const marks = async (type: DialectName, mark: string, isCached: boolean, model?: string) =>
      JSON.stringify((await sent(type, { isCached }, model === undefined ? {} : { model })).body).split(mark).length - 1;
    expect(await marks('anthropic', '"cache_control"', true)).toBe(2);
    expect(await marks('anthropic', '"cache_control"', false)).toBe(0);
    expect(await marks('bedrock', '"cachePoint"', true)).toBe(2);
    expect(await marks('bedrock', '"cachePoint"', true, 'us.meta.llama3-3-70b-instruct-v1:0')).toBe(0);
  });

  it('marks the instruction without the retrieved texts, which differ between questions', async () => {
    const knowledge = { chunks: [chunk], showsSources: true };
    const { system } = (await sent('anthropic', { isCached: true, knowledge })).body as {
      system: { text: string; cache_control?: object }[];
    };
    expect(
      system.map(({ text, cache_control }) => [text.includes('Be brief.'), text.includes(chunk.content), cache_control !== undefined]),
    ).toEqual([
      [true, false, true],
      [false, true, false],
    ]);
  });

  it('requests reasoning by a number of tokens, or by an effort', async () => {
    expect((await sent('anthropic', reasoning)).body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 4_000 } });
    expect((await sent('anthropic', reasoning, { model: 'claude-opus-5-5' })).body).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'medium' },
    });
    expect((await sent('bedrock', reasoning)).body).toMatchObject({
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 4_000 } },
    });
    expect((await sent('openai', reasoning, { model: 'gpt-6.1-sol' })).body).toMatchObject({
      reasoning: { effort: 'medium', summary: 'detailed' },
    });
    expect((await sent('openai_compatible', reasoning, { capabilities: ['reasoning'] })).body).toMatchObject({
      reasoning_effort: 'medium',
    });
  });
  it('sends no effort to a compatible model without reasoning', async () =>
    expect((await sent('openai_compatible', reasoning)).body).not.toHaveProperty('reasoning_effort'));
  it('requests no more output than the model supports', async () => {
    const parameters = { maxTokens: 9_000 };
    expect((await sent('openai_compatible', { parameters }, { max_output_tokens: 500 })).body).toMatchObject({ max_tokens: 500 });
    expect((await sent('openai_compatible', { parameters })).body).toMatchObject({ max_tokens: 9_000 });
  });
  it('contains the documents of a turn', async () => {
    const file = { mediaType: 'application/pdf', name: 'a.pdf', bytes: new TextEncoder().encode('%PDF') };
    const turns = [{ role: 'user', text: 'Read this.', files: [file] }] as const;
    for (const type of ['openai', 'anthropic', 'bedrock'] as const)
      expect(JSON.stringify((await sent(type, { turns }, { capabilities: ['documents'] })).body)).toContain(
        Buffer.from('%PDF').toString('base64'),
      );
  });
  it('contains the text of a document for a model that does not accept documents', async () => {
    const file = { mediaType: 'application/pdf', name: 'a.pdf', bytes: new TextEncoder().encode('%PDF'), text: 'Sales rose.' };
    const body = JSON.stringify((await sent('openai_compatible', { turns: [{ role: 'user', text: 'Read this.', files: [file] }] })).body);
    expect([body.includes('Sales rose.'), body.includes(Buffer.from('%PDF').toString('base64'))]).toEqual([true, false]);
  });
});
