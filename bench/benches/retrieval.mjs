import { fileURLToPath } from 'node:url';
import { LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';
import { qualityOf } from '../load/scifact.mjs';

const FULL = [
  { what: '1,000 bots of 200 chunks', adapter: 'sqlite', bots: 1_000, chunks: 200, searches: 1_000, p99: 15 },
  { what: 'one bot of 10,000 chunks', adapter: 'sqlite', bots: 1, chunks: 10_000, searches: 500, p99: 25 },
  { what: 'one bot of 100,000 chunks, LanceDB', adapter: 'lance', bots: 1, chunks: 100_000, searches: 300, p99: 60 },
];
const SHORT = [
  { what: '20 bots of 50 chunks', adapter: 'sqlite', bots: 20, chunks: 50, searches: 50, p99: 15 },
  { what: '5 bots of 50 chunks, LanceDB', adapter: 'lance', bots: 5, chunks: 50, searches: 20, p99: 60 },
];
/** The target for lexical search on this collection. */
const NDCG = 0.69;

export async function run({ short }) {
  pin(LOAD);
  const subject = fileURLToPath(new URL('../subjects/retrieval.mjs', import.meta.url));
  const [rows, invariants, skipped] = [[], [], []];
  for (const { what, adapter, bots, chunks, searches, p99 } of short ? SHORT : FULL) {
    const result = await resultOf(subject, [adapter, bots, chunks, searches]);
    for (const type of ['lexical', 'hybrid'])
      rows.push(
        figure(`${what}: p99 of a ${type} search`, result[type].p99, 'ms', { bar: { atMost: p99 } }),
        figure('  p50', result[type].p50, 'ms'),
        figure('  CPU', result[type].cpuMillis, 'ms'),
      );
    rows.push(
      figure(`${what}: build`, result.buildSeconds, 's'),
      figure('  event loop blocked by the build', result.blockedByBuild, 'ms', { bar: { atMost: 50 } }),
      figure('  event loop blocked by searches', result.blockedBySearch, 'ms', { bar: { atMost: 20 } }),
      figure('  resident memory at the end', result.rss, 'MB'),
    );
    invariants.push(
      invariant(`${what}: every chunk is in its index`, result.made === bots * chunks, `${result.made} of ${bots * chunks}`),
      invariant(`${what}: every search finds 1 to 10 chunks`, result.wrong === 0, `${result.wrong} searches`),
    );
  }
  const scifact = process.env['SCIFACT'];
  if (short || scifact === undefined) skipped.push('the quality on SciFact: name the folder of the collection in SCIFACT, in a full run');
  else {
    for (const adapter of ['sqlite', 'lance']) {
      const { ndcg, recall } = await qualityOf(scifact, adapter);
      rows.push(figure(`SciFact, lexical, ${adapter}: nDCG@10`, ndcg, '', { bar: { atLeast: NDCG } }), figure('  recall@5', recall, ''));
    }
  }
  return { rows, invariants, skipped };
}
