import { BadChunk, BadIndexName, WrongDimensions } from './errors.ts';
import type { IndexName, NewChunk, NewSource } from './knowledge-indexes.ts';
import { BATCH_CHARACTERS, BATCH_CHUNKS, MAX_CHUNK_CHARACTERS, MAX_DIMENSIONS, MAX_HITS, MAX_ID, MAX_PAGE } from './limits.ts';

const PART = /^[0-9A-Za-z_-]{1,64}$/;

export function assertName(name: IndexName): void {
  if (!PART.test(name.botId) || !PART.test(name.generation)) throw new BadIndexName(name);
}

/** The order of `list`. The dots make it equal to the order of table names. */
export const orderOf = ({ botId, generation }: IndexName): string => `${botId}.${generation}.`;

export const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export function assertHits(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) throw new RangeError(`the limit is ${limit}, not 1 to ${MAX_HITS}`);
}

export function assertPage(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) throw new RangeError(`the limit is ${limit}, not 1 to ${MAX_PAGE}`);
}

export function assertDimensions(dimensions: number | null): void {
  if (dimensions !== null && (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS))
    throw new RangeError(`an index can't have ${dimensions} dimensions`);
}

export function assertChunks(source: NewSource, chunks: readonly NewChunk[], dimensions: number | null): void {
  if (source.id.length === 0 || source.id.length > MAX_ID) throw new BadChunk('the id of a source has 1 to 200 characters');
  for (const { chunk, vector } of chunks) {
    if (chunk.id.length === 0 || chunk.id.length > MAX_ID) throw new BadChunk('the id of a chunk has 1 to 200 characters');
    if (chunk.sourceId !== source.id) throw new BadChunk(`the chunk ${JSON.stringify(chunk.id)} is of another source`);
    if (chunk.text.length > MAX_CHUNK_CHARACTERS || (chunk.parent?.length ?? 0) > MAX_CHUNK_CHARACTERS)
      throw new BadChunk(`the chunk ${JSON.stringify(chunk.id)} has more than ${MAX_CHUNK_CHARACTERS} characters`);
    if (dimensions === null) {
      if (vector !== null) throw new WrongDimensions('the index has no vectors');
    } else assertVector(vector, dimensions);
  }
}

export function assertVector(vector: Float32Array | null, dimensions: number): void {
  if (vector?.length !== dimensions)
    throw new WrongDimensions(`a vector has ${vector?.length ?? 'no'} dimensions, but the index has ${dimensions}`);
  if (!vector.every(Number.isFinite)) throw new WrongDimensions('a vector has a number that is not finite');
}

const charactersOf = ({ chunk }: NewChunk): number => chunk.text.length + (chunk.parent?.length ?? 0);

/** Parts that are small enough to be sent at once. An empty list has one empty part, because the source counts as well. */
export function* batchesOf(chunks: readonly NewChunk[]): Generator<readonly NewChunk[]> {
  let [start, characters] = [0, 0];
  for (const [index, entry] of chunks.entries()) {
    const more = charactersOf(entry);
    if (index > start && (index - start === BATCH_CHUNKS || characters + more > BATCH_CHARACTERS)) {
      yield chunks.slice(start, index);
      [start, characters] = [index, 0];
    }
    characters += more;
  }
  yield chunks.slice(start);
}
