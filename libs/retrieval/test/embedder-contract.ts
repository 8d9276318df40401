import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { type Embedder, MOST_TEXTS_PER_CALL } from '../src/embedding/embedder.ts';

export interface EmbedderCase {
  readonly name: string;
  run(embedder: Embedder): Promise<void>;
}

const never = new AbortController().signal;
const long = 'word '.repeat(40_000);

function near(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((number, index) => Math.abs(number - b[index]!) < 1e-3);
}

/** The cases that each adapter of `Embedder` must pass. */
export const embedderCases: readonly EmbedderCase[] = [
  {
    name: 'makes one vector of length 1 for each text, all with its dimensions',
    async run(embedder) {
      const texts = ['one', 'two words', 'three more words'];
      const { vectors, tokens, estimated } = await embedder.embed(texts, 'document', never);
      strictEqual(vectors.length, texts.length);
      for (const vector of vectors) {
        ok(vector instanceof Float32Array);
        strictEqual(vector.length, embedder.dimensions);
        ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
      }
      ok(Number.isInteger(tokens) && tokens > 0);
      strictEqual(typeof estimated, 'boolean');
    },
  },
  {
    name: 'keeps the order of many texts of different length',
    async run(embedder) {
      const texts = Array.from({ length: 70 }, (_, index) => `text ${'very '.repeat((index * 7) % 11)}number ${index}`);
      const { vectors } = await embedder.embed(texts, 'document', never);
      strictEqual(vectors.length, texts.length);
      for (const index of [0, 1, 33, 69]) {
        const alone = await embedder.embed([texts[index]!], 'document', never);
        // Vectors that were computed in a batch differ slightly.
        ok(near(alone.vectors[0]!, vectors[index]!) || cosine(alone.vectors[0]!, vectors[index]!) > 0.98, `text ${index}`);
      }
    },
  },
  {
    name: 'needs no model for an empty list',
    async run(embedder) {
      deepStrictEqual(await embedder.embed([], 'query', never), { vectors: [], tokens: 0, estimated: false });
    },
  },
  {
    name: 'embeds the beginning of a text that is too long',
    async run(embedder) {
      const { vectors } = await embedder.embed([long], 'document', never);
      strictEqual(vectors.length, 1);
    },
  },
  {
    name: 'refuses too many texts',
    async run(embedder) {
      await rejects(
        embedder.embed(
          Array.from({ length: MOST_TEXTS_PER_CALL + 1 }, () => 'a'),
          'document',
          never,
        ),
        RangeError,
      );
    },
  },
  {
    name: 'rejects with the reason of an aborted signal',
    async run(embedder) {
      const reason = new Error('the run was abandoned');
      await rejects(embedder.embed(['a'], 'document', AbortSignal.abort(reason)), (error) => error === reason);
      const stop = new AbortController();
      const running = embedder.embed(['a', 'b'], 'document', stop.signal);
      stop.abort(reason);
      await rejects(running, (error) => error === reason);
    },
  },
];

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, number, index) => sum + number * b[index]!, 0);
}

/** The names of the cases that an embedder fails. */
export async function embedderFailures(embedder: Embedder): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of embedderCases) await run(embedder).catch(() => failed.push(name));
  return failed;
}
