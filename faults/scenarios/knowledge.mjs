// kill -9 of the single process while it reads, indexes and searches the knowledge of bots.
import { Evidence } from '../evidence.mjs';
import { weightsOfKnowledge } from '../knowledge-client.mjs';
import { patience } from '../../libs/testing/dist/patience.js';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

/** Long enough for some runs to end before the kill. */
const [SOONEST_MS, LATEST_MS] = [300, 4_000];

export async function knowledge({ root, seed, count, keep }) {
  const trial = await Trial.open(root, seed, 'knowledge');
  trial.chosen = weightsOfKnowledge;
  let found = await trial.start();
  let round = 0;
  while (found.length === 0 && round < count) {
    round++;
    await trial.killWithin(round, SOONEST_MS, patience(LATEST_MS));
    found = [...(await trial.start()), ...(await trial.look())];
    if (found.length === 0 && (round === count || round % 25 === 0)) found = await trial.settle();
  }
  const { acknowledged, unanswered } = trial.ledger.counts;
  const figures = `${acknowledged} acknowledged, ${unanswered} unanswered, ${runsIn(trial)}`;
  await trial.end({ keep: keep || found.length > 0 });
  const name = `kill -9 while knowledge is read, ${count} rounds`;
  if (found.length === 0) pass(name, `${figures}, every run ended, nothing half, foreign or orphaned`);
  else fail(name, found, `in round ${round}; ${figures}; all of it is in ${trial.directory}`);
}

function runsIn({ product }) {
  const evidence = new Evidence(product.data);
  try {
    const of = (type) => evidence.events('bots').filter(({ event }) => event.type === type).length;
    return `${of('SyncStarted')} runs, ${of('SyncTakenOver')} taken over, ${of('SyncAbandoned')} abandoned`;
  } finally {
    evidence.close();
  }
}
