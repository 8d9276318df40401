// Builds indexes with random texts and vectors, and searches them. Everything is in this process and its threads, as in the product.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLanceIndexes } from '@parlance/retrieval/lance';
import { openSqliteIndexes } from '@parlance/retrieval/sqlite';
import { percentile } from '../measure/figures.mjs';
import { cpuMicros } from '../measure/process.mjs';

const [adapter, bots, chunks, searches] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const DIMENSIONS = 384;
const WORDS = 20_000;
const WORDS_OF_CHUNK = 150;
const CHUNKS_OF_SOURCE = 20;

process.on('disconnect', () => process.exit());
const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
const indexes = adapter === 'sqlite' ? openSqliteIndexes({ directory }) : await openLanceIndexes({ uri: directory });

let seed = 1;
/** The same numbers in every run. */
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
/** Words by Zipf's law: as in a language, a few words are in most chunks. */
const word = () => `w${Math.floor(WORDS ** random())}`;
const words = (count) => Array.from({ length: count }, word).join(' ');
const vector = () => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);

/** The longest time between two looks at the clock. */
function watchLoop() {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
    skip() {
      last = performance.now();
    },
  };
}

/** A word of each bot. A query of rare words alone finds nothing in a small bot. */
const known = [];
const nameOf = (bot) => ({ botId: `bot${bot}`, generation: 'g' });
let made = 0;
let buildMillis = 0;
const { stop: stopBuild, skip } = watchLoop();
for (let bot = 0; bot < bots; bot++) {
  const start = performance.now();
  let making = 0;
  const builder = await indexes.build(nameOf(bot), { dimensions: DIMENSIONS, embeddingModel: 'random' });
  for (let first = 0; first < chunks; first += CHUNKS_OF_SOURCE) {
    const began = performance.now();
    const id = `s${first}`;
    const batch = Array.from({ length: Math.min(CHUNKS_OF_SOURCE, chunks - first) }, (_, index) => ({
      chunk: {
        id: `${id}-${index}`,
        sourceId: id,
        ordinal: index,
        text: words(WORDS_OF_CHUNK),
        parent: null,
        page_number: null,
        heading: null,
      },
      vector: vector(),
    }));
    // Generating texts is not part of the product, so neither is the event loop block that it causes.
    known[bot] ??= batch[0].chunk.text.split(' ', 1)[0];
    skip();
    await new Promise(setImmediate);
    making += performance.now() - began;
    await builder.add({ id, kind: 'file', name: `${id}.txt`, title: words(5), etag: null, lastModified: null, hash: null }, batch);
  }
  made += (await builder.finish()).chunks;
  buildMillis += performance.now() - start - making;
}
const blockedByBuild = stopBuild();

const results = {};
let wrong = 0;
const { stop: stopSearch } = watchLoop();
for (const type of ['lexical', 'hybrid']) {
  const times = [];
  let cpu = NaN;
  for (let index = -searches; index < searches; index++) {
    if (index === 0) cpu = cpuMicros(process.pid);
    const bot = Math.floor(random() * bots);
    const search = { text: `${words(7)} ${known[bot]}`, vector: vector(), type, limit: 10 };
    const start = performance.now();
    const { hits } = await indexes.search(nameOf(bot), search);
    if (index >= 0) times.push(performance.now() - start);
    if (hits.length === 0 || hits.length > 10) wrong++;
  }
  const cpuMillis = (cpuMicros(process.pid) - cpu) / 1_000 / searches;
  results[type] = { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpuMillis };
}
const blockedBySearch = stopSearch();
const rss = process.memoryUsage.rss() / 1e6;
await indexes.close();
await rm(directory, { recursive: true });
process.send({ ...results, made, wrong, buildSeconds: buildMillis / 1_000, blockedByBuild, blockedBySearch, rss }, () => process.exit());
