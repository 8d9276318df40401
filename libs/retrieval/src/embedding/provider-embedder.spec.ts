import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { embedderCases } from '../../test/embedder-contract.ts';
import { type Received, StandIn } from '../../test/stand-in.ts';
import { RemoteRefused, RemoteUnavailable } from '../remote/failures.ts';
import type { Embedder, EmbeddingTokens } from './embedder.ts';
import { openEmbedder } from './open-embedder.ts';
import { openModel } from './embedding-models.ts';
import { PATIENCE, ProviderEmbedder } from './provider-embedder.ts';
import { MOST_ADDED_TOKENS, MOST_REPORTED_TOKENS } from './tokens-to-pay.ts';

const none = { base_url: null, api_key: null, region: null, access_key_id: null, secret_access_key: null };
const never = new AbortController().signal;
const signed = { region: 'us-east-1', access_key_id: 'AKIACANARY', secret_access_key: 'canary-5e1f' };

/** A vector that depends only on the text. */
const vectorOf = (text: string) =>
  Array.from({ length: 8 }, (_, index) => Math.sin((text.length + 1) * (index + 1)) + text.charCodeAt(0) / 97);
const inputsOf = ({ body }: Received) => body['input'] as string[];

function openAiAnswer(request: Received) {
  const data = inputsOf(request).map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  return { body: { object: 'list', model: 'm', data, usage: { prompt_tokens: data.length * 3, total_tokens: data.length * 3 } } };
}

let server: StandIn;
let embedder: Embedder;
beforeEach(async () => {
  server = await StandIn.open();
  server.respond = openAiAnswer;
});
afterEach(async () => {
  await embedder.close();
  await server.close();
});

async function open(type: string, model = 'm'): Promise<Embedder> {
  const provider = { ...none, ...signed, type, base_url: server.url, api_key: type === 'bedrock' ? null : 'canary-5e1f' };
  const models = {
    providers: { p: provider },
    models: [{ id: 'small', provider: 'p', model, context_window: 512 }],
    defaults: { embedding: 'small' },
  };
  return (embedder = (await openEmbedder({ dataDir: '/nowhere', models }))!);
}

/** An embedder with the usual number of attempts and without waits. */
function impatient(deadlineMillis = 5_000): Embedder {
  const quick = { ...PATIENCE.document, firstWaitMillis: 1, deadlineMillis };
  const settings = { ...none, type: 'openai_compatible', base_url: server.url, api_key: 'canary-5e1f' };
  const model = openModel(settings, 'm')!;
  return (embedder = new ProviderEmbedder({
    id: 'small',
    space: 'p/m',
    contextWindow: 512,
    open: model,
    patience: { document: quick, query: { ...quick, attempts: 1 } },
  }));
}

describe.each(['openai', 'openai_compatible'])('an embedding model of %s', (type) => {
  it.each(embedderCases)('$name', async ({ run }) => run(await open(type)));

  it('sends the key and the model, and counts the tokens of the provider', async () => {
    const { tokens, estimated } = await (await open(type, 'text-embedding-3-small')).embed(['a', 'b'], 'document', never);
    expect({ tokens, estimated }).toEqual({ tokens: 6, estimated: false });
    expect(server.received[0]).toMatchObject({
      path: '/embeddings',
      headers: { authorization: 'Bearer canary-5e1f' },
      body: { model: 'text-embedding-3-small', input: ['a', 'b'] },
    });
  });
});

describe('an embedding model of bedrock', () => {
  it.each([
    ['amazon.titan-embed-text-v2:0', { inputText: 'a' }],
    ['cohere.embed-english-v3', { texts: ['a'], input_type: 'search_query' }],
  ])('asks %s with signed requests', async (model, body) => {
    server.respond = () => ({
      body: model.startsWith('cohere') ? { embeddings: [[3, 4]] } : { embedding: [3, 4], inputTextTokenCount: 2 },
    });
    const { vectors } = await (await open('bedrock', model)).embed(['a'], 'query', never);
    expect([...vectors[0]!].map((each) => each.toFixed(2))).toEqual(['0.60', '0.80']);
    expect(server.received[0]).toMatchObject({ path: `/model/${encodeURIComponent(model)}/invoke`, body });
    expect(server.received[0]!.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIACANARY\/\d{8}\/us-east-1\/bedrock/);
  });
});

describe('the tokens to pay', () => {
  const paid: EmbeddingTokens[] = [];
  const embed = async (texts: readonly string[]) => {
    paid.length = 0;
    return impatient().embed(texts, 'document', never, (each) => paid.push(each));
  };

  it('are reported for each answered request, even if another fails', async () => {
    server.respond = (request) => (inputsOf(request).includes('bad') ? { status: 400, body: {} } : openAiAnswer(request));
    await expect(embed(['a', 'b', 'c', 'd', 'bad'])).rejects.toThrow(RemoteRefused);
    expect(paid).toEqual([{ tokens: 12, estimated: false }]);
  });
  it('are reported for an answer that cannot be used', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0, 0] }];
    server.respond = () => ({ body: { object: 'list', model: 'm', data, usage: { prompt_tokens: 5, total_tokens: 5 } } });
    await expect(embed(['a'])).rejects.toThrow(RemoteRefused);
    expect(paid).toEqual([{ tokens: 5, estimated: false }]);
  });
  it('are estimated if the provider reports nothing', async () => {
    server.respond = (request) => ({ body: { ...openAiAnswer(request).body, usage: undefined } });
    const { tokens, estimated } = await embed(['four words are here']);
    expect([paid, tokens, estimated]).toEqual([[{ tokens: 7, estimated: true }], 7, true]);
  });
  it.each([0, -5, 2.5, MOST_REPORTED_TOKENS + 1])('are estimated if the provider reports %d tokens for 19 bytes', async (wrong) => {
    server.respond = (request) => ({ body: { ...openAiAnswer(request).body, usage: { prompt_tokens: wrong, total_tokens: wrong } } });
    await embed(['four words are here']);
    expect(paid).toEqual([{ tokens: 7, estimated: true }]);
  });
  it("are as reported, and suspicious above one token per byte and a provider's overhead", async () => {
    const most = 19 + MOST_ADDED_TOKENS;
    const reported = async (tokens: number) => {
      server.respond = (request) => ({ body: { ...openAiAnswer(request).body, usage: { prompt_tokens: tokens, total_tokens: tokens } } });
      const { vectors: _, ...sum } = await embed(['four words are here']);
      return [...paid, sum];
    };
    const believed = { tokens: most, estimated: false };
    expect(await reported(most)).toEqual([believed, believed]);
    const suspicious = { tokens: most + 1, estimated: false, suspicious: true };
    expect(await reported(most + 1)).toEqual([suspicious, suspicious]);
  });
});

describe('batches', () => {
  it('are bounded in texts, bytes and numbers of the answer', async () => {
    await open('openai_compatible');
    server.respond = (request) => {
      const data = inputsOf(request).map((_, index) => ({ index, embedding: Array.from({ length: 4_096 }, () => 1) }));
      return { body: { data, usage: { prompt_tokens: 1 } } };
    };
    await embedder.embed(
      Array.from({ length: 50 }, () => 'a'),
      'document',
      never,
    );
    expect(Math.max(...server.received.map((each) => inputsOf(each).length))).toBe(4);
  });

  it('send at most the context window of each text', async () => {
    await (await open('openai_compatible')).embed(['x'.repeat(10_000)], 'document', never);
    expect(inputsOf(server.received[0]!)[0]!.length).toBe(512 * 3);
  });

  it('estimate tokens when the provider reports none', async () => {
    server.respond = (request) => ({ body: { data: inputsOf(request).map((text) => ({ embedding: vectorOf(text) })) } });
    const { tokens, estimated } = await (await open('openai_compatible')).embed(['four'], 'query', never);
    expect({ tokens, estimated }).toEqual({ tokens: 2, estimated: true });
  });
});

describe('a provider that fails', () => {
  it.each([429, 500, 503])('with status %i is called again', async (status) => {
    const answers = [{ status }, { status, headers: { 'retry-after': '0' } }];
    server.respond = (request) => answers.pop() ?? openAiAnswer(request);
    expect((await impatient().embed(['a'], 'document', never)).vectors).toHaveLength(1);
    expect(server.received).toHaveLength(3);
  });

  it('permanently is reported with the wait that it requests', async () => {
    server.respond = () => ({ status: 429, headers: { 'retry-after': '3600' }, body: { error: { message: 'canary-5e1f at host' } } });
    const failure = await impatient()
      .embed(['a'], 'document', never)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'RemoteUnavailable', retryAfterMillis: 3_600_000 });
    expect((failure as Error).message).toBe('The embedding model small is not available: it answered 429.');
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [
      () => ({ status: 401, body: { error: { message: 'key canary-5e1f' } } }),
      'it answered 401. Check the credentials in the configuration',
    ],
    [() => ({ status: 400 }), 'it answered 400'],
    [() => ({ body: 'no JSON' }), 'its answer does not have the expected form'],
    [() => ({ body: { data: [] } }), 'its answer does not have the expected form'],
    [() => ({ body: { data: [{ embedding: [1, 2] }, { embedding: [1, 2] }] } }), 'its answer does not have the expected form'],
    [() => ({ body: { data: [{ embedding: [0, 0] }] } }), 'it answered a vector of another length or without a direction'],
    [() => ({ body: `[${'1,'.repeat(1_200_000)}1]` }), 'its answer is larger than 2097152 bytes'],
  ])('permanently is not called again: %#', async (respond, reason) => {
    server.respond = respond;
    const failure = await impatient()
      .embed(['a'], 'document', never)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RemoteRefused);
    expect((failure as Error).message).toBe(`The embedding model small can't be used: ${reason}.`);
    expect(server.received).toHaveLength(1);
  });

  it('does not delay a call past its deadline', async () => {
    server.respond = () => 'hang';
    await expect(impatient(50).embed(['a'], 'query', never)).rejects.toThrow(/did not answer within 0.05 s|last calls failed/);
  });

  it('is not called while the breaker is open', async () => {
    server.respond = () => 'break';
    impatient();
    for (let call = 0; call < 10; call++) await expect(embedder.embed(['a'], 'query', never)).rejects.toThrow(RemoteUnavailable);
    await expect(embedder.embed(['a'], 'query', never)).rejects.toThrow('its last calls failed');
    expect(server.received).toHaveLength(10);
  });

  it('stops when the signal is aborted in the middle', async () => {
    server.respond = () => 'hang';
    const stop = new AbortController();
    const arrived = server.nextRequest();
    const running = impatient().embed(['a'], 'document', stop.signal);
    void arrived.then(() => stop.abort(new Error('abandoned')));
    await expect(running).rejects.toThrow('abandoned');
  });
});
