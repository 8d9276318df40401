// A disk that is full for a while, and one that fails a sync: refused requests have no effect, acknowledged ones survive.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { patience } from '../../libs/testing/dist/patience.js';
import { failedOnPurpose, failingAtSync, fullFrom, missing } from '../strace.mjs';
import { fail, pass, skip } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const LOAD_MS = 1_500;
/** Loads of a round, until the fault occurs. */
const MOST_LOADS = 10;
const BACK_WITHIN_MS = patience(30_000);

const kinds = {
  'a full disk': {
    /** The start takes a few hundred writes, the load several thousand. */
    calls: [20, 1_500],
    tracer: (from, trace, chance) => fullFrom(from, from + chance.between(1, 60), trace),
    /** A full disk does not end the process. Writes succeed again when there is space. */
    after: async (trial) => {
      const isReady = async () => (await trial.product.ask('GET', '/health/ready', undefined, { signedIn: false })).status === 200;
      for (const end = performance.now() + BACK_WITHIN_MS; trial.product.isRunning && performance.now() < end;)
        if (await isReady()) return [];
      const problem = trial.product.isRunning ? 'it is not ready although there is space again' : 'it ended';
      return [{ name: 'I10 back in service by itself', count: 1, problems: [problem] }];
    },
  },
  'a failing sync': {
    calls: [1, 60],
    tracer: (nth, trace) => failingAtSync(nth, trace),
    /** After a failed sync, the content of the disk is unknown, so the process may end. */
    after: async () => [],
  },
};

async function rounds(trial, name, count) {
  const { calls, tracer, after } = kinds[name];
  const trace = join(trial.directory, 'trace');
  /** Starts that ended by the fault, and loads during which it occurred. */
  const figures = { early: 0, tried: 0 };
  let [least, most] = calls;
  for (let round = 1; round <= count; round++) {
    await rm(trace, { force: true });
    const chance = trial.chanceOf(round, 'disk');
    const nth = chance.between(least, most);
    const begun = await trial.start(tracer(nth, trace, chance));
    let found = [];
    // A start on a full or broken disk may end with a one-line error. The next fault comes later, so that some come during the load.
    if (begun.length > 0) {
      figures.early++;
      [least, most] = [nth + 1, Math.max(most, 2 * nth)];
    } else {
      const before = failedOnPurpose(trace);
      trial.ledger.isDiskFailing = true;
      for (let part = 1; part <= MOST_LOADS && trial.product.isRunning && failedOnPurpose(trace) === before; part++)
        await trial.load(`${round}.${part}`, LOAD_MS).catch(() => undefined);
      trial.ledger.isDiskFailing = false;
      if (failedOnPurpose(trace) > before) figures.tried++;
      found = await after(trial);
    }
    await trial.product.kill();
    if (found.length === 0) found = await trial.start();
    if (found.length === 0) found = await trial.look();
    if (found.length === 0 && round === count) found = await trial.settle();
    await trial.product.kill();
    if (found.length > 0) return { round, found, ...figures };
  }
  const untried = [{ name: 'the fault', count: 1, problems: ['it occurred during no load'] }];
  return { round: count, found: figures.tried > 0 ? [] : untried, ...figures };
}

export async function disk({ root, seed, count }) {
  const why = missing();
  if (why !== undefined) return skip('disk', why);
  for (const name of Object.keys(kinds)) {
    const trial = await Trial.open(root, seed, name);
    const { round, found, early, tried } = await rounds(trial, name, count);
    const { acknowledged, refused, unanswered } = trial.ledger.counts;
    const figures = `it occurred during ${tried} loads, ${early} starts were ended by it, ${acknowledged} acknowledged, ${refused} refused, ${unanswered} unanswered`;
    await trial.end({ keep: found.length > 0 });
    if (found.length === 0) pass(`${name}, ${count} times`, `${figures}, nothing lost`);
    else fail(`${name}, ${count} times`, found, `in round ${round}; ${figures}; all of it is in ${trial.directory}`);
  }
}
