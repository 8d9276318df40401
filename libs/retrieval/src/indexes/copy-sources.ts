import { ForeignIndex, IndexMissing, WrongDimensions } from './errors.ts';
import type { BuildOptions, IndexBuilder, IndexName, KnowledgeIndexes, ReadableIndex } from './knowledge-indexes.ts';
import { BATCH_CHUNKS } from './limits.ts';

/** The common implementation of every adapter's `copy`. */
export async function copySources(
  indexes: Pick<KnowledgeIndexes, 'describe' | 'chunksOf'>,
  { from, sourceIds }: { from: IndexName; sourceIds: readonly string[] },
  { name, options, builder }: { name: IndexName; options: BuildOptions; builder: Pick<IndexBuilder, 'add'> },
): Promise<{ sources: number; chunks: number }> {
  if (from.botId !== name.botId) throw new ForeignIndex(name, from);
  const described = await indexes.describe(from);
  if (described === null) throw new IndexMissing(from);
  const { dimensions, embeddingModel } = options;
  if (dimensions !== null && (described.dimensions !== dimensions || described.embeddingModel !== embeddingModel))
    throw new WrongDimensions('the vectors of the two indexes are of different models');
  const copied = { sources: 0, chunks: 0 };
  const readable = { chunksOf: indexes.chunksOf.bind(indexes, from) };
  for (const id of sourceIds) {
    const chunks = await copySource(readable, id, builder, dimensions !== null);
    if (chunks === null) continue;
    copied.sources++;
    copied.chunks += chunks;
  }
  return copied;
}

/** Adds all chunks of a source, page by page. Resolves with their number, or null if there is no such source. */
export async function copySource(
  from: Pick<ReadableIndex, 'chunksOf'>,
  id: string,
  builder: Pick<IndexBuilder, 'add'>,
  withVectors: boolean,
): Promise<number | null> {
  let count = 0;
  let after: number | null = null;
  for (;;) {
    const { source, chunks, next } = await from.chunksOf(id, after, BATCH_CHUNKS);
    if (source === null) return null;
    await builder.add(source, withVectors ? chunks : chunks.map(({ chunk }) => ({ chunk, vector: null })));
    count += chunks.length;
    if (next === null) return count;
    after = next;
  }
}
