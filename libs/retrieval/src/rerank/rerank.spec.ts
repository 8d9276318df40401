import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rerankerCases } from '../../test/reranker-contract.ts';
import { type Received, StandIn } from '../../test/stand-in.ts';
import { RemoteRefused } from '../remote/failures.ts';
import { openReranker, type RerankerSettings } from './open-reranker.ts';
import { rerankedOrFused } from './reranked.ts';
import type { Reranker, RerankUse } from './reranker.ts';
import { MOST_ADDED_TOKENS } from '../embedding/tokens-to-pay.ts';

const none = {
  url: null,
  model: null,
  document_field: 'documents',
  api_key: null,
  region: null,
  access_key_id: null,
  secret_access_key: null,
} as const;
const key = 'canary-5e1f';
const { signal } = new AbortController();

/** Scores documents by their length. */
const scored = (documents: readonly string[]) =>
  documents.map((text, index) => ({ index, score: text.length })).sort((a, b) => b.score - a.score);

const services: readonly [string, Partial<RerankerSettings>, (request: Received) => object][] = [
  [
    'http',
    { model: 'bge' },
    ({ body }) => ({ results: scored(body['documents'] as string[]).map(({ index, score }) => ({ index, relevance_score: score })) }),
  ],
  ['http', { document_field: 'texts' }, ({ body }) => scored(body['texts'] as string[])],
  [
    'cohere',
    { model: 'rerank-v3.5' },
    ({ body }) => ({
      id: '1',
      meta: {},
      results: scored(body['documents'] as string[])
        .slice(0, body['top_n'] as number)
        .map(({ index, score }) => ({ index, relevance_score: score })),
    }),
  ],
  [
    'bedrock',
    { model: 'amazon.rerank-v1:0', region: 'us-east-1', api_key: null, access_key_id: 'AKIACANARY', secret_access_key: key },
    ({ body }) => ({
      results: scored(
        (body['sources'] as { inlineDocumentSource: { textDocument: { text: string } } }[]).map(
          (each) => each.inlineDocumentSource.textDocument.text,
        ),
      )
        .slice(
          0,
          (body as never as { rerankingConfiguration: { bedrockRerankingConfiguration: { numberOfResults: number } } })
            .rerankingConfiguration.bedrockRerankingConfiguration.numberOfResults,
        )
        .map(({ index, score }) => ({ index, relevanceScore: score })),
    }),
  ],
];

let server: StandIn;
let reranker: Reranker;
beforeEach(async () => (server = await StandIn.open()));
afterEach(async () => {
  await reranker.close();
  await server.close();
});

async function open(type: string, settings: Partial<RerankerSettings> = {}): Promise<Reranker> {
  const whole = { ...none, url: `${server.url}`, api_key: key, ...settings, type: type as RerankerSettings['type'] };
  return (reranker = (await openReranker({ reranker: whole }))!);
}

describe.each(services)('a reranker of %s with %j', (type, settings, respond) => {
  beforeEach(() => {
    server.respond = (request) => ({ body: respond(request) });
  });

  it.each(rerankerCases)('$name', async ({ run }) => run(await open(type, settings)));

  it('sends its credentials', async () => {
    await (await open(type, settings)).rerank('long', ['a'], 1, signal);
    expect(server.received[0]!.headers.authorization).toMatch(
      type === 'bedrock' ? /^AWS4-HMAC-SHA256 Credential=AKIACANARY/ : `Bearer ${key}`,
    );
  });
});

describe('the billed amounts of a reranking', () => {
  const texts = ['one', 'four words are here'];
  const results = [{ index: 0, relevance_score: 1 }];
  const used = async (type: string, answer: object, documents = texts, settings: Partial<RerankerSettings> = { model: 'm' }) => {
    const uses: RerankUse[] = [];
    server.respond = () => ({ body: answer });
    await (await open(type, settings)).rerank('why?', documents, 1, signal, (use) => uses.push(use)).catch(() => undefined);
    return uses;
  };

  it("are Cohere's reported searches and estimated tokens", async () => {
    const answer = { id: '1', meta: { billed_units: { search_units: 1 } }, results };
    expect(await used('cohere', answer)).toEqual([{ searches: 1, tokens: 11, estimated: true }]);
    expect(await used('http', answer)).toEqual([{ searches: 1, tokens: 11, estimated: true }]);
  });
  it('are marked as suspicious above the searches that the documents can need', async () => {
    const reported = async (search_units: number, documents?: string[]) =>
      (await used('cohere', { id: '1', meta: { billed_units: { search_units } }, results }, documents))[0];
    expect(await reported(2)).toMatchObject({ searches: 2, suspicious: true });
    // 100 documents of 10 KiB have up to 41 parts each.
    const long = Array.from({ length: 100 }, () => 'x'.repeat(10_240));
    expect((await reported(41, long))!.suspicious).toBeUndefined();
    expect(await reported(42, long)).toMatchObject({ searches: 42, suspicious: true });
  });
  it('are the reported tokens of Jina, Voyage and vLLM', async () => {
    expect(await used('http', { results, usage: { total_tokens: 40 } })).toEqual([{ searches: 1, tokens: 40, estimated: false }]);
  });
  it('are marked as suspicious above the tokens that the texts can have', async () => {
    const most = Buffer.byteLength(texts.map((text) => `why?\n${text}`).join('')) + texts.length * MOST_ADDED_TOKENS;
    expect(await used('http', { results, usage: { total_tokens: most } })).toEqual([{ searches: 1, tokens: most, estimated: false }]);
    expect(await used('http', { results, usage: { total_tokens: most + 1 } })).toEqual([
      { searches: 1, tokens: most + 1, estimated: false, suspicious: true },
    ]);
  });
  it('are one search per 100 documents if no valid number is reported', async () => {
    const many = Array.from({ length: 101 }, () => 'a');
    for (const search_units of [undefined, -1, 0.5, 1e9, '2'])
      expect(await used('http', { results, meta: { billed_units: { search_units } } }, many)).toMatchObject([{ searches: 2 }]);
    expect(await used('http', results, ['a'])).toMatchObject([{ searches: 1, estimated: true }]);
  });
  it('are reported for an unusable answer, but not for a failure', async () => {
    expect(await used('http', { results: [{ index: 7 }], usage: { total_tokens: 9 } })).toMatchObject([{ tokens: 9 }]);
    server.respond = () => ({ status: 503 });
    const uses: RerankUse[] = [];
    await expect((await open('http')).rerank('q', ['a'], 1, signal, (use) => uses.push(use))).rejects.toThrow('is not available');
    expect(uses).toEqual([]);
  });
});

describe('an answer of a rerank endpoint', () => {
  it.each([
    [{ results: 'none' }, 'its answer has no list of results'],
    [{ results: [{ index: 2, relevance_score: 1 }] }, 'its answer names a document twice or one that was not sent'],
    [
      {
        results: [
          { index: 0, score: 1 },
          { index: 0, score: 1 },
        ],
      },
      'its answer names a document twice or one that was not sent',
    ],
    [{ results: [{ index: 0 }] }, 'its answer names a document twice or one that was not sent'],
    [[null], 'its answer names a document twice or one that was not sent'],
    ['not JSON', 'its answer is not JSON'],
    [`"${'a'.repeat(4 * 1024 ** 2)}"`, 'its answer is larger than 4194304 bytes'],
  ])('is refused: %#', async (body, reason) => {
    server.respond = () => ({ body });
    await expect((await open('http')).rerank('q', ['a', 'b'], 2, signal)).rejects.toThrow(RemoteRefused);
    await expect(reranker.rerank('q', ['a', 'b'], 2, signal)).rejects.toThrow(reason);
  });

  it('is not followed to another address', async () => {
    const other = await StandIn.open();
    server.respond = () => ({ status: 307, headers: { location: other.url } });
    await expect((await open('http')).rerank('q', ['a'], 1, signal)).rejects.toThrow('The reranker http is not available');
    expect(other.received).toEqual([]);
    await other.close();
  });
});

describe('the results of a search', () => {
  const found = ['one', 'three', 'four'];
  const search = { textOf: (text: string) => text, topN: 2, signal };
  const unscored = [
    { one: 'one', score: null },
    { one: 'three', score: null },
  ];

  it("have the reranker's order", async () => {
    server.respond = (request) => ({ body: services[0]![2](request) });
    expect(await rerankedOrFused(await open('http'), 'q', found, search)).toEqual({
      found: [
        { one: 'three', score: 5 },
        { one: 'four', score: 4 },
      ],
      reranked: true,
      failure: null,
    });
  });

  it('keep their order if the reranker fails, and report it', async () => {
    server.respond = () => ({ status: 503 });
    expect(await rerankedOrFused(await open('http'), 'q', found, search)).toEqual({
      found: unscored,
      reranked: false,
      failure: 'The reranker http is not available: it answered 503.',
    });
    expect(server.received).toHaveLength(1);
  });

  it('keep their order without a reranker', async () => {
    await open('http');
    expect(await openReranker({ reranker: null })).toBeNull();
    expect(await rerankedOrFused(null, 'q', found, search)).toEqual({ found: unscored, reranked: false, failure: null });
  });

  it('are not returned to a caller that has left', async () => {
    const left = new Error('left');
    await expect(rerankedOrFused(await open('http'), 'q', found, { ...search, signal: AbortSignal.abort(left) })).rejects.toBe(left);
  });
});
