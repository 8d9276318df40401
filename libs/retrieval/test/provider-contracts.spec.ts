import { describe, expect, it } from '@jest/globals';
import { embedderFailures } from './embedder-contract.ts';
import { retrieverFailures } from './imported-retriever-contract.ts';
import { rerankerFailures } from './reranker-contract.ts';
import { checkCount, Embedder, unitVector } from '../src/embedding/embedder.ts';
import { type ImportedChunk, ImportedRetriever, type ImportedSearch, MOST_IMPORTED_CHUNKS } from '../src/imported/imported-retriever.ts';
import { checkDocuments, checkedRanking, type Ranked, Reranker } from '../src/rerank/reranker.ts';

class CorrectEmbedder extends Embedder {
  readonly id = 'sound';
  readonly space = 'sound';
  dimensions: number | null = null;
  vectorOf = (text: string) => unitVector([text.length, text.charCodeAt(text.length - 1)])!;
  async embed(texts: readonly string[], _: string, signal: AbortSignal) {
    checkCount(texts);
    signal.throwIfAborted();
    // The caller can abort before the answer.
    await Promise.resolve();
    signal.throwIfAborted();
    if (texts.length > 0) this.dimensions = 2;
    return { vectors: texts.map(this.vectorOf), tokens: texts.length, estimated: false };
  }
  async close() {}
}

describe('the contract for embedders', () => {
  const broken = (changes: Partial<CorrectEmbedder>) => embedderFailures(Object.assign(new CorrectEmbedder(), changes));
  const sound = new CorrectEmbedder();
  const { signal } = new AbortController();

  it('is met by a correct adapter', async () => expect(await embedderFailures(sound)).toEqual([]));
  it('catches vectors of another length than 1', async () =>
    expect(await broken({ vectorOf: (text) => Float32Array.of(text.length, 1) })).toContain(
      'makes one vector of length 1 for each text, all with its dimensions',
    ));
  it('catches a wrong order', async () => {
    const embed: CorrectEmbedder['embed'] = async (texts, ...more) => {
      const { vectors, ...rest } = await sound.embed(texts, ...more);
      return { vectors: vectors.toReversed().map((vector) => (texts.length > 3 ? vector.map((each) => -each) : vector)), ...rest };
    };
    expect(await broken({ embed })).toContain('keeps the order of many texts of different length');
  });
  it('catches an ignored bound and an ignored signal', async () =>
    expect(await broken({ embed: (texts) => sound.embed(texts.slice(0, 2), '', signal) })).toEqual(
      expect.arrayContaining(['refuses too many texts', 'rejects with the reason of an aborted signal']),
    ));
  it('catches tokens for an empty list', async () =>
    expect(
      await broken({ dimensions: 2, embed: async (texts, ...more) => ({ ...(await sound.embed(texts, ...more)), tokens: 7 }) }),
    ).toEqual(['needs no model for an empty list']));
});

class CorrectReranker extends Reranker {
  readonly name = 'sound';
  async rerank(_: string, documents: readonly string[], topN: number, signal: AbortSignal): Promise<readonly Ranked[]> {
    checkDocuments(documents);
    signal.throwIfAborted();
    const ranking = documents.map((document, index) => ({ index, score: document.length }));
    return checkedRanking(ranking, documents.length, topN)!;
  }
  async close() {}
}

describe('the contract for rerankers', () => {
  const sound = new CorrectReranker();
  const { signal } = new AbortController();
  const broken = (rerank: CorrectReranker['rerank']) => rerankerFailures(Object.assign(new CorrectReranker(), { rerank }));

  it('is met by a correct adapter', async () => expect(await rerankerFailures(sound)).toEqual([]));
  it('catches a reversed order', async () =>
    expect(await broken(async (...all) => (await sound.rerank(...all)).toReversed())).toContain(
      'names the best documents by their indices, best first',
    ));
  it('catches ignored bounds', async () =>
    expect(await broken(async (query, documents, topN) => sound.rerank(query, documents.slice(0, 9), topN, signal))).toEqual([
      'refuses too many documents',
      'rejects with the reason of an aborted signal',
    ]));
  it('catches repeated documents', async () =>
    expect(await broken(async (...all) => [...(await sound.rerank(...all)), { index: 0, score: 0 }])).toEqual(
      expect.arrayContaining(['names each document once if more are requested than exist', 'needs no model for an empty list']),
    ));
});

class CorrectRetriever extends ImportedRetriever {
  async retrieve(query: string, { limit, signal }: ImportedSearch): Promise<readonly ImportedChunk[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_IMPORTED_CHUNKS) throw new RangeError('limit');
    signal.throwIfAborted();
    const source = 's3://handbook/leave.pdf';
    return [1, 2, 3, 4, 5].slice(0, limit).map((page) => ({
      id: String(page),
      text: `Rule ${page} for ${query}.`,
      source,
      source_name: 'leave.pdf',
      page_number: page,
      heading: null,
      score: 1 / page,
    }));
  }
  async close() {}
}

describe('the contract for imported retrievers', () => {
  const sound = new CorrectRetriever();
  const broken = (retrieve: CorrectRetriever['retrieve']) => retrieverFailures(Object.assign(new CorrectRetriever(), { retrieve }));
  const page = "finds chunks with their source and page, in the other system's order";

  it('is met by a correct adapter', async () => expect(await retrieverFailures(sound)).toEqual([]));
  it('catches an ignored limit', async () =>
    expect(await broken((query, search) => sound.retrieve(query, { ...search, limit: 5 }))).toEqual([
      page,
      'refuses a limit out of range',
    ]));
  it('catches equal ids and lost pages', async () => {
    const lost = (change: object) => broken(async (...all) => (await sound.retrieve(...all)).map((each) => ({ ...each, ...change })));
    expect(await lost({ id: 'x' })).toEqual([page]);
    expect(await lost({ page_number: null })).toEqual([page]);
  });
  it('catches an ignored signal', async () =>
    expect(await broken((query, { limit }) => sound.retrieve(query, { limit, signal: new AbortController().signal }))).toEqual([
      'rejects with the reason of an aborted signal',
    ]));
});
