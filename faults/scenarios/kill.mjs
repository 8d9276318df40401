// kill -9 of the single process at random moments under load, again and again on one data directory.
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

/**
 * Kills and restarts the product until a check finds enough problems (by default one). Returns them and the round.
 * The trial stays open.
 */
export async function rounds(trial, { count, settleEvery = Infinity, settle, isEnough = (found) => found.length > 0 }) {
  let found = await trial.start();
  for (let round = 1; !isEnough(found) && round <= count; round++) {
    await trial.killUnderLoad(round);
    // Some kills happen during a recovery.
    if (trial.chanceOf(round, 'again').chance(0.1)) await trial.killWhileStarting(round);
    found = await trial.start();
    if (!isEnough(found)) found = await trial.look();
    if (!isEnough(found) && (round === count || round % settleEvery === 0)) found = await trial.settle(settle);
    if (isEnough(found)) return { round, found };
  }
  return { round: isEnough(found) ? 0 : count, found };
}

export async function kill({ root, seed, count, keep }) {
  const trial = await Trial.open(root, seed, 'kill');
  const begun = performance.now();
  const { round, found } = await rounds(trial, { count, settleEvery: 100 });
  const seconds = Math.round((performance.now() - begun) / 1000);
  const { acknowledged, refused, unanswered } = trial.ledger.counts;
  const starts = trial.starts.toSorted((a, b) => a - b).map(Math.round);
  const figures = `${acknowledged} acknowledged, ${refused} refused, ${unanswered} unanswered, ready after ${starts[starts.length >> 1]} ms (longest ${starts.at(-1)})`;
  await trial.end({ keep: keep || found.length > 0 });
  if (found.length === 0)
    pass(`kill -9, ${count} rounds`, `${figures}, nothing lost (${seconds} s)${keep ? `; all of it is in ${trial.directory}` : ''}`);
  else fail(`kill -9, ${count} rounds`, found, `in round ${round}; ${figures}; all of it is in ${trial.directory}`);
}
