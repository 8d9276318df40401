import { deepStrictEqual } from 'node:assert/strict';
import type { Hit, IndexBuilder, IndexName, KnowledgeIndexes, NewChunk, NewSource, SearchType } from '../src/indexes/knowledge-indexes.ts';

export const DIMENSIONS = 4;
export const vectorial = { dimensions: DIMENSIONS, embeddingModel: 'test/model' };
export const lexicalOnly = { dimensions: null, embeddingModel: null };

export const source = (id: string, more: Partial<NewSource> = {}): NewSource => ({
  id,
  kind: 'file',
  name: `${id}.txt`,
  title: null,
  etag: null,
  lastModified: null,
  hash: null,
  ...more,
});

export function chunk(
  sourceId: string,
  ordinal: number,
  text: string,
  { vector = null, ...more }: Partial<NewChunk['chunk']> & { vector?: readonly number[] | null } = {},
): NewChunk {
  const id = `${sourceId}-${ordinal}`;
  return {
    chunk: { id, sourceId, ordinal, text, parent: null, page_number: null, heading: null, ...more },
    vector: vector && Float32Array.from(vector),
  };
}

/** One text per source: `s0`, `s1` and so on. */
export async function addTexts(builder: IndexBuilder, ...texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) await builder.add(source(`s${index}`), [chunk(`s${index}`, 0, text)]);
}

export async function finished(indexes: KnowledgeIndexes, name: IndexName, ...texts: readonly string[]): Promise<void> {
  const builder = await indexes.build(name, lexicalOnly);
  await addTexts(builder, ...texts);
  await builder.finish();
}

export async function hitsOf(
  indexes: KnowledgeIndexes,
  name: IndexName,
  text: string,
  { vector = null, type = 'hybrid', limit = 10 }: { vector?: readonly number[] | null; type?: SearchType; limit?: number } = {},
): Promise<readonly Hit[]> {
  return (await indexes.search(name, { text, vector: vector && Float32Array.from(vector), type, limit })).hits;
}

export const textsOf = (hits: readonly Hit[]): string[] => hits.map(({ text }) => text);

/** Compares values that may come from a thread. In jest their classes differ from the test's classes. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  deepStrictEqual(structuredClone(actual), structuredClone(expected), message);
}
