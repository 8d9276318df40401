import { fileURLToPath } from 'node:url';
import { resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const subject = fileURLToPath(new URL('../subjects/rebuild.mjs', import.meta.url));

export async function run({ short }) {
  const events = short ? 30_000 : 300_000;
  const { scanRate, followRate, rebuildRate, cpuMicros, head, accounts, rows, differing } = await resultOf(subject, [events]);
  return {
    rows: [
      figure(`rebuild of ${events.toLocaleString('en-US')} events, SQLite, comparison and switch included`, rebuildRate, '/s', {
        bar: { atLeast: 30_000 },
      }),
      figure('  CPU of an event', cpuMicros, 'µs'),
      figure('the same events followed for the first time', followRate, '/s'),
      figure('the log read alone', scanRate, '/s'),
      figure('rebuild ÷ reading the log', rebuildRate / scanRate, '', { gate: { atLeast: 0.05 }, against: 'readAll to the end' }),
      figure('rebuild ÷ following', rebuildRate / followRate, '', { gate: { atLeast: 0.3 }, against: 'the same projection, living' }),
    ],
    invariants: [
      invariant('the log holds every event', head === events, `${head} of ${events}`),
      invariant(
        'a rebuild makes the same rows',
        rows === accounts && differing.length === 0,
        `${rows} of ${accounts} rows; differing: ${differing.join(', ')}`,
      ),
    ],
  };
}
