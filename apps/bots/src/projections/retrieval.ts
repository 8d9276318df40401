import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { FILES_HEALTH, type ObjectStoreHealth } from '@parlance/foundation';
import { type Hit, IndexDamaged, IndexMissing, type IndexSearch, KnowledgeIndexes, type SearchResult } from '@parlance/retrieval';
import { Embedding, type PaidEmbedding } from '../adapters/embedding.ts';
import { ImportedBases } from '../adapters/imported-bases.ts';
import { type PaidReranking, Reranking } from '../adapters/reranking.ts';
import type { KnowledgeBase } from '../domain/configuration.ts';
import { embeddingOf } from './index-fingerprints.ts';
import { IndexSearches } from '../adapters/index-searches.ts';
import { SyncOf } from './knowledge/queries.ts';

/** The most characters of a query. */
export const LONGEST_QUERY = 4_000;

/** The number of chunks passed to the reranker for each requested result, and their maximum. */
const RERANKED_PER_RESULT = 5;
const MOST_RERANKED = 100;

/** The most characters of all results of a search, because they are passed to a model, and a chunk can be a complete document. */
export const MOST_CONTENT = 256 * 1024;

/** How often a search reads which index is in service, because a run may have replaced and removed the index meanwhile. */
const TRIES = 3;

export interface SearchRequest {
  readonly limit: number;
  readonly type: 'hybrid' | 'semantic' | 'lexical';
}

export interface Found {
  readonly id: string;
  readonly content: string;
  readonly content_type: 'text';
  readonly source: string;
  readonly source_name: string;
  readonly source_id: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  readonly rank: number;
  readonly score: number;
}

/** The usage of providers by a search; null for parts that cost nothing. */
export interface PaidSearch {
  readonly embedding: PaidEmbedding | null;
  readonly reranking: PaidReranking | null;
}

export const NOTHING_PAID: PaidSearch = { embedding: null, reranking: null };

export type OnPaid = (paid: Partial<PaidSearch>) => void;

export interface Results {
  readonly results: readonly Found[];
  readonly search_type: SearchRequest['type'];
  readonly reranked: boolean;
  readonly timings: Readonly<Record<string, number>>;
}

/** Searches the knowledge of one bot. The caller decides who may. */
@Injectable()
export class Retrieval {
  private readonly searches: IndexSearches;

  constructor(
    private readonly queries: QueryBus,
    private readonly indexes: KnowledgeIndexes,
    private readonly embedding: Embedding,
    private readonly reranking: Reranking,
    private readonly imported: ImportedBases,
    @Inject(FILES_HEALTH) storage: Pick<ObjectStoreHealth, 'check'> | null,
  ) {
    this.searches = new IndexSearches(storage);
  }

  /**
   * Throws the refusal `knowledge_unavailable` (unavailable) while an index is damaged or a knowledge base cannot be reached, and
   * `object_store_unavailable` (unavailable) while the object store with the index does not answer.
   */
  async search(
    botId: string,
    base: KnowledgeBase,
    query: string,
    asked: SearchRequest,
    /** Called with each part that a provider is paid for, even if the search fails afterwards. */
    onPaid: OnPaid,
  ): Promise<Results> {
    const began = performance.now();
    const imported = base.exist_knowledge_base_id;
    const { timings, ...found } = await (imported === null ? this.own(botId, query, asked, onPaid) : this.others(imported, query, asked));
    return { ...found, results: bounded(found.results), timings: { ...timings, total: since(began) } };
  }

  /** Searches a knowledge base of another system, which decides how it searches. */
  private async others(name: string, query: string, { limit, type }: SearchRequest): Promise<Results> {
    const chunks = await this.imported.retrieve(name, query, limit);
    const results = chunks.map(({ text, ...chunk }, index) => ({
      ...chunk,
      content: text,
      content_type: 'text' as const,
      source_id: chunk.source,
      rank: index + 1,
    }));
    return { results, search_type: type, reranked: false, timings: {} };
  }

  private async own(botId: string, query: string, { limit, type }: SearchRequest, onPaid: OnPaid): Promise<Results> {
    const wanted = this.reranking.isConfigured ? Math.max(limit, Math.min(MOST_RERANKED, limit * RERANKED_PER_RESULT)) : limit;
    const [began, timings] = [performance.now(), { embed: 0, search: 0, rerank: 0 }];
    const vector = type === 'lexical' ? null : await this.embedding.ofQuery(query, (embedding) => onPaid({ embedding }));
    timings.embed = since(began);
    const searching = performance.now();
    const { hits, type: search_type } = await this.hits(botId, { text: query, vector, type, limit: wanted });
    timings.search = since(searching);
    const reranking = performance.now();
    const { found: best, reranked } = await this.reranking.best(query, hits, {
      textOf,
      topN: limit,
      onPaid: (paid) => onPaid({ reranking: paid }),
    });
    timings.rerank = reranked ? since(reranking) : 0;
    const results = best.map(({ one, score }, index) => found(one, index + 1, score ?? one.score));
    return { results, search_type, reranked, timings };
  }

  private async hits(botId: string, search: IndexSearch): Promise<SearchResult> {
    for (let tries = 1; ; tries++) {
      const sync = await this.queries.execute(new SyncOf(botId));
      if (!sync?.generation) return { hits: [], type: 'lexical' };
      // Vectors of another model cannot be compared. The next run rebuilds the index.
      const isComparable = embeddingOf(sync.fingerprint) === this.embedding.space;
      try {
        const name = { botId, generation: sync.generation };
        return await this.searches.run(() => this.indexes.search(name, isComparable ? search : { ...search, vector: null }));
      } catch (error) {
        const isDamaged = error instanceof IndexDamaged;
        if (!isDamaged && !(error instanceof IndexMissing)) throw error;
        // A run ended between the two reads, and its index has replaced this one, which may be half removed.
        if (tries === TRIES) throw unavailable(isDamaged ? 'damaged' : 'missing');
      }
    }
  }
}

const unavailable = (state: 'missing' | 'damaged') =>
  refuse(
    'unavailable',
    'knowledge_unavailable',
    `The index of this bot is ${state}. Its owner has to start a run that reads its sources again.`,
  );

/** The results whose content fits. The last one is cut. */
export function bounded(results: readonly Found[]): readonly Found[] {
  let left = MOST_CONTENT;
  return results.flatMap((result) => {
    if (left === 0) return [];
    const content = cut(result.content, left);
    left -= content.length;
    return [content === result.content ? result : { ...result, content }];
  });
}

/** Cuts a text, but never between the two halves of a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most).toWellFormed() === text.slice(0, most) ? text.slice(0, most) : text.slice(0, most - 1);
}

const since = (began: number) => Math.round((performance.now() - began) * 100) / 100;

/** For hierarchical chunks, the parent is passed to the model. */
const textOf = ({ text, parent }: Hit): string => parent ?? text;

/** The title of a page, and the name of a file: the title of a file is often its first heading. */
function nameOf({ kind, sourceName, sourceTitle }: Hit): string {
  if (kind === 'page' || kind === 'sitemap_page') return sourceTitle ?? sourceName;
  return (kind === 's3' && sourceName.slice(sourceName.lastIndexOf('/') + 1)) || sourceName;
}

const found = (hit: Hit, rank: number, score: number): Found => ({
  id: hit.id,
  content: textOf(hit),
  content_type: 'text',
  source: hit.sourceName,
  source_name: nameOf(hit),
  source_id: hit.sourceId,
  page_number: hit.page_number,
  heading: hit.heading,
  rank,
  score,
});
