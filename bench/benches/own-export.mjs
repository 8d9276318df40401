import { fileURLToPath } from 'node:url';
import { LOAD, pin, resultOf } from '../measure/cores.mjs';
import { figure, invariant } from '../measure/figures.mjs';

const FULL = { few: 1_000, many: 10_000 };
const SHORT = { few: 50, many: 200 };
/** Prompts, memories, projects, ratings, usage, calls, their files, responses, batches and the manifest. */
const OTHERS = 10;

const subject = fileURLToPath(new URL('../subjects/own-export.mjs', import.meta.url));

export async function run({ short }) {
  pin(LOAD);
  const { few, many } = short ? SHORT : FULL;
  const small = await resultOf(subject, [few], ['--expose-gc']);
  const large = await resultOf(subject, [many], ['--expose-gc']);
  return {
    rows: [
      figure(`own data of ${many.toLocaleString('en')} conversations`, large.seconds, 's', { bar: { atMost: 60 } }),
      figure('  CPU of a conversation', large.cpuMicros, 'µs'),
      figure('  size of the archive', large.megabytes, 'MB'),
      figure('  memory that the service takes more meanwhile', large.grown, 'MiB', { bar: { atMost: 200 } }),
      figure(`  the same with ${few.toLocaleString('en')} conversations`, small.grown, 'MiB'),
      figure('  longest event loop block', large.blocked, 'ms', { bar: { atMost: 20 } }),
      figure('  its processor time alone', large.busiest, 'ms'),
    ],
    invariants: [
      invariant(
        'every conversation is in the archive',
        large.written === many && small.written === few,
        `${large.written} of ${many}, ${small.written} of ${few}`,
      ),
      invariant('each has two files there', large.entries === 2 * many + OTHERS, `${large.entries} of ${2 * many + OTHERS}`),
    ],
  };
}
