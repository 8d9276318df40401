// Tests the harness: plants faults in a copy of the built product, each of which the expected check must report. Then it changes the data
// of a correct run, so that each check has a problem to find.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { patience } from '../../libs/testing/dist/patience.js';
import { afterQuiet, violations } from '../checks/index.mjs';
import { Evidence } from '../evidence.mjs';
import { bugs } from '../sabotage/bugs.mjs';
import { endedRuns, tampers } from '../sabotage/tampers.mjs';
import { Tree } from '../sabotage/tree.mjs';
import { missing } from '../strace.mjs';
import { fail, part, pass, skip } from '../suite.mjs';
import { Trial } from '../trial.mjs';
import { syncedBeforeAnswered } from './fsync.mjs';
import { rounds } from './kill.mjs';
import { bursts } from './quota.mjs';
import { drill } from './restore.mjs';
import { releases } from './upgrade.mjs';

/** On a busy machine, it takes many rounds until one slow request of each kind was sent. */
const MOST_ROUNDS = 60;

const seen = (found, { caught }) => found.find(({ name }) => name.startsWith(caught));

const hunts = {
  fsync: async (trial) => ({ round: 0, found: await syncedBeforeAnswered(trial) }),
  upgrade: (trial, bug) => releases(trial, { count: bug.rounds, figures: { raised: [], back: [], refused: 0, killed: 0 } }),
  restore: async (trial) => ({ round: 0, found: (await drill(trial, trial.product.root)).found }),
  quota: (trial, bug) => bursts(trial, bug.rounds, (found) => seen(found, bug) !== undefined),
  load: async (trial, bug) => {
    let found = await trial.start();
    for (let round = 1; round <= bug.rounds; round++) {
      await trial.load(round, 2_000);
      found = await trial.look();
      if (seen(found, bug)) return { round, found };
    }
    return { round: bug.rounds, found };
  },
  kill: (trial, bug) =>
    rounds(trial, {
      count: bug.rounds,
      settleEvery: 2,
      // Only faults of replies need to wait until leases have expired.
      settle: { replies: bug.replies ?? false, within: patience(bug.replies ? 20_000 : 5_000) },
      isEnough: (found) => seen(found, bug) !== undefined,
    }),
};

async function plantAndHunt(tree, seed, bug) {
  const name = `sabotage: ${bug.name}`;
  const why = bug.by === 'fsync' ? missing() : undefined;
  if (why !== undefined) return skip(name, why);
  const begun = performance.now();
  const pulls = [];
  for (const change of bug.plant) pulls.push(await tree.plant(change));
  const trial = await Trial.open(tree.root, seed, name);
  const { round, found } = await hunts[bug.by](trial, bug);
  await trial.end({ keep: false });
  for (const pull of pulls.reverse()) await pull();
  const catcher = seen(found, bug);
  const seconds = Math.round((performance.now() - begun) / 1000);
  if (catcher) pass(name, `caught by “${catcher.name}”${bug.rounds ? ` in round ${round}` : ''} (${seconds} s): ${catcher.problems[0]}`);
  else fail(name, found, `nothing by a name like “${bug.caught}” was reported (${seconds} s)`);
}

/** Runs on the copy without faults, which proves that the copy is otherwise correct. */
async function tamper(root, seed) {
  const trial = await Trial.open(root, seed, 'tamper');
  try {
    let found = await trial.start();
    for (let round = 1; round === 1 || (round <= MOST_ROUNDS && isMissing(trial)); round++) await trial.load(round, 2_000);
    found = [...found, ...(await trial.settle())];
    await trial.product.kill();
    if (found.length > 0) return fail('sabotage: data to tamper with', found, 'they are wrong already');
    const blind = [];
    for (const each of tampers) if (!(await isReported(trial, each))) blind.push(`${each.name}: nothing by a name like “${each.caught}”`);
    const name = 'sabotage: tampered data';
    if (blind.length === 0) pass(name, `each of ${tampers.length} changes was reported`);
    else fail(name, [{ name: 'the checks', count: blind.length, problems: blind }], 'not each change was reported');
  } finally {
    await trial.end({ keep: false });
  }
}

/** Whether the random load has not yet produced the data that is to be changed. */
function isMissing({ product, ledger }) {
  const evidence = new Evidence(product.data);
  try {
    const slow = [...ledger.slowOnes.values()];
    const [{ ends }] = evidence.all('bots', `SELECT count(*) AS ends FROM commits WHERE ${endedRuns}`);
    if (ends === 0) return true;
    return !slow.some((each) => each.isBotIn(evidence)) || !slow.some((each) => each.isErasedIn(evidence));
  } finally {
    evidence.close();
  }
}

async function isReported({ product, ledger, directory }, { file, sql, caught }) {
  const copy = join(directory, 'tampered');
  // A killed product leaves its socket, which can't be copied.
  await cp(product.data, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const database = new DatabaseSync(join(copy, `${file}.db`));
  const { changes } = database.prepare(withVersions(database, sql)).run();
  database.close();
  const evidence = new Evidence(copy);
  try {
    if (Number(changes) === 0) throw new Error(`this changes nothing: ${sql}`);
    // Checks that query the running product do not see the change.
    const checks = afterQuiet.filter(({ name }) => name.startsWith(caught) && !asking.has(name));
    return seen(await violations(checks, { ledger, evidence }), { caught }) !== undefined;
  } finally {
    evidence.close();
    await rm(copy, { recursive: true });
  }
}

/** Tables of read models are named without their version: `"bots@*"`. */
function withVersions(database, sql) {
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ? ORDER BY name DESC LIMIT 1";
  return sql.replaceAll(/"(\w+)@\*"/g, (_, table) => `"${database.prepare(tables).get(`${table}@v*`).name}"`);
}

const asking = new Set(['I1 clients see what was acknowledged', 'I4 one charge for each reply', 'I9 people are as was answered']);

export async function sabotage({ root, seed, short }) {
  const tree = await Tree.copyOf(root);
  try {
    // Covers faults that CI does not try too, so that a change of the code cannot make one impossible to plant unnoticed.
    await part('sabotage: every fault can be planted', async () => {
      for (const { plant } of bugs) for (const change of plant) await tree.plant(change).then((pull) => pull());
      pass('sabotage: every fault can be planted', `${bugs.length} faults`);
    });
    for (const bug of bugs) if (!short || bug.short) await part(`sabotage: ${bug.name}`, () => plantAndHunt(tree, seed, bug));
    await part('sabotage: tampered data', () => tamper(tree.root, seed));
  } finally {
    await tree.remove();
  }
}
