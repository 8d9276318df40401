import { fileURLToPath } from 'node:url';
import { resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const subject = fileURLToPath(new URL('../subjects/rebuild.mjs', import.meta.url));

export async function run({ short }) {
  const events = short ? 30_000 : 300_000;
  const { scanRate, alone, besideCommands, large, rebuilt, head, accounts, rows, differing } = await resultOf(subject, [events]);
  return {
    rows: [
      figure(`a raised version reads ${events.toLocaleString('en-US')} events, SQLite, commands going on`, besideCommands.rate, '/s', {
        bar: { atLeast: 60_000 },
      }),
      figure('  CPU of an event, commands included', besideCommands.cpuMicros, 'µs'),
      figure('  the longest that the event loop stood still', besideCommands.blockedMs, 'ms', { bar: { atMost: 50 } }),
      figure('  commands meanwhile, p99', besideCommands.p99, 'ms'),
      figure('the same without commands', alone.rate, '/s'),
      figure('  the longest that the event loop stood still', alone.blockedMs, 'ms', { bar: { atMost: 50 } }),
      figure('a raised version with 100 events of 1 MiB more: the longest that the event loop stood still', large.blockedMs, 'ms', {
        bar: { atMost: 50 },
      }),
      figure('parlance replay: a rebuild beside the rows in use, with the removal of the earlier rows', rebuilt.rate, '/s', {
        bar: { atLeast: 60_000 },
      }),
      figure('  the longest that the event loop stood still', rebuilt.blockedMs, 'ms', { bar: { atMost: 50 } }),
      figure('the log read alone', scanRate, '/s'),
      figure('catching up ÷ reading the log', alone.rate / scanRate, '', { gate: { atLeast: 0.05 }, against: 'readAll to the end' }),
    ],
    invariants: [
      invariant('the log holds every event', head === events + accounts - events / 3, `${head}: ${events} plus the events of the commands`),
      invariant(
        'the rows equal the rows of a second build',
        rows === accounts && differing.length === 0,
        `${rows} of ${accounts} rows; differing: ${differing.join(', ')}`,
      ),
      invariant(
        'the rows of the rebuild equal the rows of a second build',
        rebuilt.rows === accounts && rebuilt.differing.length === 0,
        `${rebuilt.rows} of ${accounts} rows; differing: ${rebuilt.differing.join(', ')}`,
      ),
    ],
  };
}
