// Two or more concurrent requests whose order matters: in any order, each right is used at most as often as it was granted, and nothing
// that an answered request ended is accepted afterwards.
import { Agent } from 'node:http';
import { races as ofAccounts } from '../races/accounts.mjs';
import { races as ofBots } from '../races/bots.mjs';
import { races as ofKeys } from '../races/keys.mjs';
import { RaceWorld } from '../races/race-world.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const all = { ...ofAccounts, ...ofBots, ...ofKeys };
/** Problems of one race that are printed. */
const SHOWN = 10;

export async function races({ root, seed, count, keep }) {
  const world = await RaceWorld.open(root, seed, Trial, new Agent({ keepAlive: true, maxSockets: 80 }));
  const found = [];
  const outcomes = [];
  try {
    for (const [name, race] of Object.entries(all)) {
      const begun = performance.now();
      const problems = [];
      const tally = {};
      for (let round = 1; round <= count && problems.length < SHOWN; round++) {
        const { won, problems: more } = await race(world, world.chanceOf(name, round), round);
        tally[won] = (tally[won] ?? 0) + 1;
        problems.push(...more.map((problem) => `round ${round}: ${problem}`));
      }
      outcomes.push(`${name} ${JSON.stringify(tally)}`);
      console.log(`        ${name}: ${JSON.stringify(tally)}, ${Math.round((performance.now() - begun) / 1_000)} s`);
      if (problems.length > 0) found.push({ name, count: problems.length, problems });
    }
    if (found.length === 0) found.push(...(await world.trial.comeToRest()));
  } finally {
    await world.close({ keep: keep || found.length > 0 });
  }
  const title = `races, ${count} rounds`;
  if (found.length === 0) pass(title, `${outcomes.length} kinds`);
  else fail(title, found, `all of it is in ${world.trial.directory}`);
}
