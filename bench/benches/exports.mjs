import { fileURLToPath } from 'node:url';
import { LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const FULL = { few: 10_000, many: 100_000, rows: 1_000_000, queries: 9 };
const SHORT = { few: 200, many: 1_000, rows: 20_000, queries: 2 };

const subject = (name) => fileURLToPath(new URL(`../subjects/${name}.mjs`, import.meta.url));

export async function run({ short }) {
  pin(LOAD);
  const { few, many, rows, queries } = short ? SHORT : FULL;
  const small = await resultOf(subject('exports'), [few], ['--expose-gc']);
  const large = await resultOf(subject('exports'), [many], ['--expose-gc']);
  const sql = await resultOf(subject('export-sql'), [rows, queries]);
  const number = (count) => count.toLocaleString('en');
  return {
    rows: [
      figure(`export of an hour with ${number(many)} conversations`, large.seconds, 's', { bar: { atMost: 10 } }),
      figure('  CPU of a conversation', large.cpuMicros, 'µs'),
      figure('  size of the file', large.megabytes, 'MB'),
      figure('  memory that the service takes more meanwhile', large.grown, 'MiB', { bar: { atMost: 100 } }),
      figure(`  the same with ${number(few)} conversations`, small.grown, 'MiB'),
      figure('  longest event loop block', large.blocked, 'ms', { bar: { atMost: 20 } }),
      figure('  its processor time alone', large.busiest, 'ms'),
      figure(`SQL: cost by user of ${number(rows)} rows of a month, p50`, sql.usersoverDays.p50, 'ms', { bar: { atMost: 250 } }),
      figure('  longest', sql.usersoverDays.most, 'ms'),
      figure('  by day and bot, of 22 days, p50', sql.daysoverDays.p50, 'ms', { bar: { atMost: 250 } }),
      figure(`  cost by user over the ${sql.files} files of hours, p50`, sql.usersoverHours.p50, 'ms'),
    ],
    invariants: [
      invariant('every conversation is in the file', large.rows === many && small.rows === few, `${large.rows} of ${many}`),
      invariant('each has its message and its reply', large.whole === many && small.whole === few, `${large.whole} of ${many}`),
      invariant(
        'queries over days and over hours see all rows',
        sql.count === rows && sql.sameCount === rows,
        `${sql.count}, ${sql.sameCount}`,
      ),
    ],
  };
}
