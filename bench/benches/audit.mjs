import { fileURLToPath } from 'node:url';
import { LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const CALLERS = 64;
const FULL = { warm: 2_000, entries: 20_000 };
const SHORT = { warm: 200, entries: 1_000 };

export async function run({ short }) {
  pin(LOAD);
  const { warm, entries } = short ? SHORT : FULL;
  const subject = fileURLToPath(new URL('../subjects/audit.mjs', import.meta.url));
  const { perSecond, cpuMicros, p50, p99, triesOfOne, recorded, stored, broken } = await resultOf(subject, [warm, entries, CALLERS]);
  return {
    rows: [
      figure(`audit entries, ${CALLERS} deliveries at once`, perSecond, '/s', { bar: { atLeast: 3_000 } }),
      figure('  p50 of one', p50, 'ms'),
      figure('  p99 of one', p99, 'ms'),
      figure('  CPU of an entry', cpuMicros, 'µs'),
      figure('  deliveries ÷ entries', triesOfOne, '', { gate: { atMost: 4 } }),
    ],
    invariants: [
      invariant('every entry is in the log once', stored === recorded, `${stored} of ${recorded} entries`),
      invariant('the chain of hashes is whole', broken === 0, `${broken} entries do not follow the one before them`),
    ],
  };
}
