import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { type Hit, IndexDamaged, IndexMissing, type IndexName, type IndexSearch, type KnowledgeIndexes } from '@parlance/retrieval';
import type { Embedding, PaidEmbedding } from '../adapters/embedding.ts';
import type { ImportedBases } from '../adapters/imported-bases.ts';
import type { Reranking } from '../adapters/reranking.ts';
import { DEFAULT_SETTINGS } from '../domain/configuration.ts';
import { fingerprintOf } from './index-fingerprints.ts';
import { ASKS_STORE_MILLIS, MOST_ABANDONED_SEARCHES } from '../adapters/index-searches.ts';
import { type PaidSearch, bounded, type Found, MOST_CONTENT, Retrieval } from './retrieval.ts';

const base = DEFAULT_SETTINGS.bedrock_knowledge_base;
const hit = { id: 'c', text: 'child', parent: 'parent', sourceName: 'a.txt', sourceTitle: null, sourceId: 's', score: 1 } as Hit;

/** The answers of the index, one for each search. The index of the bot is found by its generation. */
let answers: ((search: IndexSearch) => readonly Hit[] | Promise<readonly Hit[]>)[];
/** The result of each check of the object store. */
let checks: (() => Promise<void>)[];
let searches: { readonly name: IndexName; readonly search: IndexSearch }[];
let space: string;
let paid: Partial<PaidSearch>[];

const retrieval = () => {
  const queries = {
    execute: async () => ({ generation: `g${searches.length}`, fingerprint: fingerprintOf(base.chunking_configuration, 'one') }),
  };
  const indexes = {
    search: async (name: IndexName, search: IndexSearch) => {
      searches.push({ name, search });
      const answer = answers.shift();
      if (!answer) throw new IndexMissing(name);
      return { hits: await answer(search), type: search.vector ? 'hybrid' : 'lexical' };
    },
  };
  const embedding = {
    space,
    async ofQuery(_: string, onPaid: (paid: PaidEmbedding) => void) {
      onPaid({ model: 'small', tokens: 3, estimated: false });
      return new Float32Array(2);
    },
  };
  const reranking = {
    isConfigured: false,
    best: async (_: string, found: readonly object[]) => ({ found: found.map((one) => ({ one, score: null })), reranked: false }),
  };
  return new Retrieval(
    queries as unknown as QueryBus,
    indexes as unknown as KnowledgeIndexes,
    embedding as unknown as Embedding,
    reranking as unknown as Reranking,
    {} as ImportedBases,
    { check: async () => checks.shift()?.() },
  );
};
const search = (from = retrieval()) => from.search('bot', base, 'question', { limit: 5, type: 'hybrid' }, (each) => paid.push(each));

beforeEach(() => {
  [answers, searches, space, paid, checks] = [[() => [hit]], [], 'one', [], []];
});
afterEach(() => void jest.useRealTimers());

describe('a search', () => {
  it('returns the parent of a hierarchical chunk', async () => {
    expect((await search()).results).toMatchObject([
      { id: 'c', content: 'parent', source: 'a.txt', source_name: 'a.txt', rank: 1, score: 1 },
    ]);
  });
  it.each([
    ['file', 'handbook.pdf', 'handbook.pdf'],
    ['s3', 's3://bucket/rules/handbook.pdf', 'handbook.pdf'],
    ['page', 'https://example.org/a', 'Opening hours'],
    ['sitemap_page', 'https://example.org/a', 'Opening hours'],
  ] as const)('names a source of the kind %s, whatever its first heading is', async (kind, sourceName, name) => {
    answers = [() => [{ ...hit, kind, sourceName, sourceTitle: 'Opening hours' }]];
    expect((await search()).results).toMatchObject([{ source: sourceName, source_name: name }]);
  });
  it('reports the cost of its vector, even if the index is missing', async () => {
    await search();
    answers = [];
    await expect(search()).rejects.toMatchObject({ code: 'knowledge_unavailable' });
    expect(paid).toEqual([1, 2].map(() => ({ embedding: { model: 'small', tokens: 3, estimated: false } })));
  });
  it('compares only vectors of the same model', async () => {
    expect((await search()).search_type).toBe('hybrid');
    [answers, space] = [[() => [hit]], 'another'];
    expect((await search()).search_type).toBe('lexical');
    expect(searches.map(({ search: { vector } }) => vector !== null)).toEqual([true, false]);
  });
  it('follows an index that a run has just replaced', async () => {
    answers = [missing, damaged, () => [hit]];
    expect((await search()).results).toHaveLength(1);
    expect(searches.map(({ name }) => name.generation)).toEqual(['g0', 'g1', 'g2']);
  });
  it('is unavailable while the index is damaged, and names the remedy', async () => {
    answers = [damaged, damaged, damaged];
    await expect(search()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'knowledge_unavailable',
      message: expect.stringMatching(/is damaged\..*start a run that reads its sources again/),
    });
  });
  it('is unavailable while the index is missing', async () => {
    answers = [];
    await expect(search()).rejects.toMatchObject({ kind: 'unavailable', code: 'knowledge_unavailable' });
    expect(searches).toHaveLength(3);
  });
  it('waits for a slow index while the object store answers, and no longer', async () => {
    jest.useFakeTimers();
    answers = [() => new Promise(() => {})];
    checks = [up, up, down, up];
    const found = search().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(ASKS_STORE_MILLIS);
    expect(checks).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(ASKS_STORE_MILLIS);
    expect(await found).toMatchObject({ kind: 'unavailable', code: 'object_store_unavailable' });
    await jest.advanceTimersByTimeAsync(2 * ASKS_STORE_MILLIS);
    expect(checks).toHaveLength(1);
  });
  it('does not begin while the object store is known to be down', async () => {
    checks = [down];
    await expect(search()).rejects.toMatchObject({ kind: 'unavailable', code: 'object_store_unavailable', cause: new Error('no answer') });
    expect(searches).toEqual([]);
  });
  it('begins beside any number of slow searches while the object store answers', async () => {
    jest.useFakeTimers();
    const searched = retrieval();
    const { promise, resolve } = Promise.withResolvers<readonly Hit[]>();
    answers = Array.from({ length: MOST_ABANDONED_SEARCHES + 1 }, () => () => promise);
    const slow = answers.map(() => search(searched));
    await jest.advanceTimersByTimeAsync(2 * ASKS_STORE_MILLIS);
    answers = [() => [hit]];
    expect((await search(searched)).results).toHaveLength(1);
    resolve([hit]);
    for (const { results } of await Promise.all(slow)) expect(results).toHaveLength(1);
  });
  it('does not begin while too many others go on after they were refused', async () => {
    jest.useFakeTimers();
    const searched = retrieval();
    const ends: ((hits: readonly Hit[]) => void)[] = [];
    answers = Array.from({ length: MOST_ABANDONED_SEARCHES }, () => () => new Promise((resolve) => ends.push(resolve)));
    const refused = Promise.allSettled(answers.map(() => search(searched)));
    await jest.advanceTimersByTimeAsync(0);
    checks = Array.from({ length: MOST_ABANDONED_SEARCHES }, () => down);
    await jest.advanceTimersByTimeAsync(ASKS_STORE_MILLIS);
    for (const outcome of await refused)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'object_store_unavailable' } });
    answers = [() => [hit]];
    await expect(search(searched)).rejects.toMatchObject({ kind: 'unavailable', code: 'object_store_unavailable' });
    expect(searches).toHaveLength(MOST_ABANDONED_SEARCHES);
    ends[0]!([]);
    await jest.advanceTimersByTimeAsync(0);
    expect((await search(searched)).results).toHaveLength(1);
  });
});

const up = async () => undefined;
const down = () => Promise.reject(new Error('no answer'));

const missing = () => {
  throw new IndexMissing({ botId: 'bot', generation: 'g' });
};
const damaged = () => {
  throw new IndexDamaged({ botId: 'bot', generation: 'g' });
};

const found = (content: string, rank: number): Found => ({
  id: `c${rank}`,
  content,
  content_type: 'text',
  source: 'a.txt',
  source_name: 'a.txt',
  source_id: 's',
  page_number: null,
  heading: null,
  rank,
  score: 1,
});

describe('the results of a search', () => {
  it('are complete while they fit', () => {
    const results = [found('one', 1), found('x'.repeat(MOST_CONTENT - 3), 2)];
    expect(bounded(results)).toEqual(results);
  });
  it('are cut where they no longer fit, and later ones are left out', () => {
    const lengths = bounded([found('x'.repeat(MOST_CONTENT - 2), 1), found('four', 2), found('five', 3)]).map(({ content }) => content);
    expect([lengths.length, lengths[1]]).toEqual([2, 'fo']);
  });
  it('are not cut within a character', () => {
    const [, last] = bounded([found('x'.repeat(MOST_CONTENT - 3), 1), found('a🧭🧭', 2)]);
    expect(last!.content).toBe('a🧭');
    expect(bounded([found('x'.repeat(MOST_CONTENT - 2), 1), found('a🧭', 2)])[1]!.content).toBe('a');
  });
});
