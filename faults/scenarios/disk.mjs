// A disk that is full for a while, and one that fails a sync: refused requests have no effect, acknowledged ones survive.
import { patience } from '../../libs/testing/dist/patience.js';
import { failingAtSync, fullFrom, missing } from '../strace.mjs';
import { fail, pass, skip } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const LOAD_MS = 1_500;
const BACK_WITHIN_MS = patience(30_000);

const kinds = {
  'a full disk': {
    /** The start takes a few hundred writes, the load several thousand. */
    tracer: (chance) => {
      const from = chance.between(20, 1_500);
      return fullFrom(from, from + chance.between(1, 60));
    },
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
    tracer: (chance) => failingAtSync(chance.between(1, 60)),
    /** After a failed sync, the content of the disk is unknown, so the process may end. */
    after: async () => [],
  },
};

async function rounds(trial, name, count) {
  const { tracer, after } = kinds[name];
  let early = 0;
  for (let round = 1; round <= count; round++) {
    const begun = await trial.start(tracer(trial.chanceOf(round, 'disk')));
    let found = [];
    // A start on a full or broken disk may end with a one-line error.
    if (begun.length > 0) early++;
    else {
      trial.ledger.isDiskFailing = true;
      await trial.load(round, LOAD_MS).catch(() => undefined);
      trial.ledger.isDiskFailing = false;
      found = await after(trial);
    }
    await trial.product.kill();
    if (found.length === 0) found = await trial.start();
    if (found.length === 0) found = await trial.look();
    if (found.length === 0 && round === count) found = await trial.settle();
    await trial.product.kill();
    if (found.length > 0) return { round, found, early };
  }
  return { round: count, found: [], early };
}

export async function disk({ root, seed, count }) {
  const why = missing();
  if (why !== undefined) return skip('disk', why);
  for (const name of Object.keys(kinds)) {
    const trial = await Trial.open(root, seed, name);
    const { round, found, early } = await rounds(trial, name, count);
    const { acknowledged, refused, unanswered } = trial.ledger.counts;
    const figures = `${early} starts were ended by it, ${acknowledged} acknowledged, ${refused} refused, ${unanswered} unanswered`;
    await trial.end({ keep: found.length > 0 });
    if (found.length === 0) pass(`${name}, ${count} times`, `${figures}, nothing lost`);
    else fail(`${name}, ${count} times`, found, `in round ${round}; ${figures}; all of it is in ${trial.directory}`);
  }
}
