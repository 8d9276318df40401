import type { Table } from '@lancedb/lancedb';
import { WrongDimensions } from '../indexes/errors.ts';
import { type Candidate, candidatesFor, fuse } from '../indexes/fusion.ts';
import type { Hit, IndexSearch, SearchResult } from '../indexes/knowledge-indexes.ts';
import { formsIn, type Language } from '../indexes/languages.ts';
import { MAX_PAGE_CHARACTERS, MAX_QUERY_WORDS } from '../indexes/limits.ts';
import { queryWords } from '../indexes/searchable-text.ts';
import type { Lance } from './native.ts';
import { chunkOf, HIT_COLUMNS } from './schema.ts';

/** With a vector index: the share of partitions that is searched, and how many times more vectors are compared exactly. */
const PROBED_SHARE = 0.1;
const REFINE_FACTOR = 4;

interface RowCandidate extends Candidate {
  readonly row: bigint;
}

export interface SearchedTable {
  readonly lance: Lance;
  readonly table: Table;
  readonly dimensions: number | null;
  readonly chunks: number;
  readonly languages: readonly (Language | null)[];
}

export async function searchTable(searched: SearchedTable, { text, vector, type: wanted, limit }: IndexSearch): Promise<SearchResult> {
  const { table, dimensions } = searched;
  const isVectorial = wanted !== 'lexical' && dimensions !== null && vector !== null;
  if (isVectorial && vector.length !== dimensions)
    throw new WrongDimensions(`the vector of the query has ${vector.length} dimensions, but the index has ${dimensions}`);
  const type = isVectorial ? wanted : 'lexical';
  if (searched.chunks === 0) return { hits: [], type };
  const count = candidatesFor(limit);
  const [lexical, nearest] = await Promise.all([
    type === 'semantic' ? [] : lexicalCandidates(searched, text, count),
    isVectorial ? vectorCandidates(searched, vector, count) : [],
  ]);
  const ranked = fuse(type, { lexical, vector: nearest }, limit);
  if (ranked.length === 0) return { hits: [], type };
  const found = await table
    .takeRowIds(ranked.map(({ candidate }) => candidate.row))
    .select(HIT_COLUMNS)
    .toArray();
  const rows = new Map(found.map((row: Record<string, unknown>) => [row['id'] as string, row]));
  const hits: Hit[] = [];
  let characters = 0;
  for (const { candidate, score, lexicalRank, vectorRank } of ranked) {
    const row = rows.get(candidate.id)!;
    const chunk = chunkOf(row);
    characters += chunk.text.length + (chunk.parent?.length ?? 0);
    if (hits.length > 0 && characters > MAX_PAGE_CHARACTERS) break;
    hits.push({
      ...chunk,
      sourceName: row['source_name'] as string,
      sourceTitle: row['source_title'] as string | null,
      kind: row['source_kind'] as Hit['kind'],
      score,
      rank: hits.length + 1,
      lexicalRank,
      vectorRank,
    });
  }
  return { hits, type };
}

async function lexicalCandidates({ lance, table, languages }: SearchedTable, text: string, count: number): Promise<RowCandidate[]> {
  // The words are matched literally: a match query has no syntax.
  const words = [...new Set(queryWords(text))]
    .slice(0, MAX_QUERY_WORDS)
    .flatMap((word) => formsIn(word, languages))
    .join(' ');
  if (words === '') return [];
  const query = new lance.MatchQuery(words, 'words');
  const rows = await table.query().fullTextSearch(query).select(['id', 'parent_key', '_score']).withRowId().limit(count).toArray();
  return rows.map((row: Record<string, unknown>) => candidateOf(row, row['_score'] as number));
}

async function vectorCandidates({ table, chunks }: SearchedTable, vector: Float32Array, count: number): Promise<RowCandidate[]> {
  const rows = await table
    .query()
    .nearestTo(vector)
    .distanceType('cosine')
    .nprobes(Math.max(8, Math.ceil(PROBED_SHARE * Math.sqrt(chunks))))
    .refineFactor(REFINE_FACTOR)
    .select(['id', 'parent_key', '_distance'])
    .withRowId()
    .limit(count)
    .toArray();
  return rows.map((row: Record<string, unknown>) => candidateOf(row, 1 - (row['_distance'] as number)));
}

const candidateOf = (row: Record<string, unknown>, score: number): RowCandidate => ({
  id: row['id'] as string,
  parent: row['parent_key'] as string | null,
  // A vector of zeros has no cosine.
  score: Number.isNaN(score) ? 0 : score,
  row: BigInt(row['_rowid'] as bigint),
});
