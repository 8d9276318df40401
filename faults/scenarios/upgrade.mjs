// An upgrade and its rollback under load: versions of read models are raised and a new one appears; processes are killed while the rows are
// built; then the present release runs again on the same directory, and finds its rows unchanged.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { Evidence, services } from '../evidence.mjs';
import { added, HELD, nextRelease } from '../sabotage/next-release.mjs';
import { fail, pass } from '../suite.mjs';
import { READY_WITHIN_MS, Trial } from '../trial.mjs';

export async function upgrade({ root, seed, count, keep }) {
  const trial = await Trial.open(root, seed, 'upgrade');
  const figures = { raised: [], back: [], refused: 0, killed: 0 };
  const begun = performance.now();
  const { round, found: first } = await releases(trial, { count, figures });
  const unseen = [problem('a version that is being built', ['no query was sent while it was built'])];
  const found = first.length === 0 && figures.refused === 0 ? unseen : first;
  await trial.end({ keep: keep || found.length > 0 });
  const { acknowledged } = trial.ledger.counts;
  const said = `${acknowledged} acknowledged, ${figures.refused} queries answered 503 while rows were built, ${figures.killed} times killed meanwhile, \
listening after ${shown(figures.raised)} ms with raised versions, ready after ${shown(figures.back)} ms back on the present ones`;
  const name = `upgrade and rollback, ${count} rounds`;
  if (found.length === 0) pass(name, `${said} (${Math.round((performance.now() - begun) / 1000)} s)`);
  else fail(name, found, `in round ${round}; ${said}; all of it is in ${trial.directory}`);
}

/** Upgrades and rolls back for a number of rounds, or until a problem is found. Returns the problems and the round, and kills the product. */
export async function releases(trial, { count, figures }) {
  const { root } = trial.product;
  const { tree, only } = await nextRelease(root);
  try {
    let found = await trial.start();
    let round = 0;
    while (found.length === 0 && round < count) found = await there(trial, ++round, { root, next: tree.root, only, figures });
    return { round, found };
  } finally {
    await trial.product.kill();
    await tree.remove();
  }
}

/** The least number of queries that are sent while rows are built. */
const QUERIES = 10;

const heldOf = ({ directory }) => join(directory, HELD);
const shown = (times) => times.map(Math.round).join(', ') || 'no';
const problem = (name, problems) => ({ name, count: problems.length, problems });

/** One upgrade and rollback. Ends at the first problem. */
async function there(trial, round, { root, next, only, figures }) {
  const { product, ledger } = trial;
  const chance = trial.chanceOf(round, 'upgrade');
  const begin = async (times) => {
    const found = await trial.start();
    times.push(trial.starts.at(-1));
    return found;
  };
  const steps = [
    () => fill(trial),
    () => leave(trial, `${round} before`, chance),
    async () => {
      product.root = next;
      product.startsUntil = 'live';
      ledger.isBuilding = true;
      // A slow start would otherwise end after the rows are complete.
      writeFileSync(heldOf(product), '');
      for (let kills = chance.between(1, 3); kills > 0; kills--) {
        const found = await begin(figures.raised);
        if (found.length > 0) return found;
        await trial.killUnderLoad(`${round} building ${kills}`);
        if (building(product.data, only.next).length > 0) figures.killed++;
      }
      return begin(figures.raised);
    },
    () => whileBuilding(trial, chance, figures),
    () => trial.look(),
    () => trial.load(`${round} after`, 1_500),
    () => settle(trial, only.present),
    () => newRows(trial),
    () => leave(trial, `${round} back`, chance),
    () => {
      product.root = root;
      product.startsUntil = 'ready';
      return begin(figures.back);
    },
    () => trial.look(),
    () => trial.load(`${round} there`, 1_500),
    () => settle(trial, only.next),
  ];
  for (const step of steps) {
    const found = (await step()) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

/** Runs load until the rows of the bots need several batches to build. */
async function fill(trial) {
  for (let times = 1; trial.ledger.bots.size < 100 && times <= 20; times++) await trial.load(`filling ${times}`, 1_000);
}

/** Runs load, then stops the product gracefully or kills it under load. */
async function leave(trial, name, chance) {
  await trial.load(name, 1_000);
  if (chance.chance(0.5)) await trial.stopUnderLoad(`${name} stop`);
  else await trial.killUnderLoad(`${name} kill`);
}

async function settle(trial, abandoned) {
  const found = await trial.settle({ isAbandoned: (id) => abandoned.has(id) });
  trial.ledger.isBuilding = false;
  return found;
}

/** The read models among `ids` whose rows are not complete yet. */
function building(data, ids) {
  const evidence = new Evidence(data);
  try {
    const sql = "SELECT id FROM read_model_progress WHERE line = '' AND ready = 0";
    return services.flatMap((service) => evidence.all(service, sql)).filter(({ id }) => ids.has(id));
  } finally {
    evidence.close();
  }
}

/** Checks that queries of incomplete rows are refused and commands are answered. */
async function whileBuilding({ product, ledger }, chance, figures) {
  // It listens before the edge knows all routes.
  const isThere = async () => (await product.ask('GET', '/user/me')).status === 200;
  await waitFor(isThere, { timeout: READY_WITHIN_MS, what: 'the routes to be known' });
  const [bot, ...others] = [...ledger.bots.values()].filter(({ isSurelyLiving }) => isSurelyLiving);
  if (others.length === 0) return [problem('a version that is being built', ['there are no bots to request'])];
  const problems = [];
  /** Whether the rows were still being built at the request. */
  const ask = async () => {
    const { status, body, headers } = await product.ask('GET', `/bot/${bot.id}`);
    if (status === 200) return false;
    figures.refused++;
    if (status !== 503 || body?.code !== 'read_model_building' || !(Number(headers['retry-after']) > 0))
      problems.push(`GET /bot answered ${status} ${body?.code} with Retry-After ${headers?.['retry-after']} while its rows were built`);
    return true;
  };
  for (let asked = 1; await ask(); asked++) {
    if (asked === QUERIES) rmSync(heldOf(product));
    const deleted = others.pop();
    if (deleted) {
      const answer = await product.ask('DELETE', `/bot/${deleted.id}`);
      if (answer.status !== 204) problems.push(`DELETE /bot answered ${answer.status} ${answer.body?.code} while rows were built`);
      ledger.noteBot(deleted, 'delete', '', answer);
    }
    const record = ledger.conversation(chance.ulid());
    const text = `Message ${++record.sent} of ${record.id}: sent while rows are built.`;
    const message = { content: [{ content_type: 'text', body: text }] };
    const answer = await product.ask('POST', '/conversation', { conversation_id: record.id, message });
    if (answer.status !== 202) problems.push(`POST /conversation answered ${answer.status} ${answer.body?.code} while rows were built`);
    ledger.noteMessage(record, text, [202], answer);
    await pause(100);
  }
  return problems.length > 0 ? [problem('a version that is being built', problems.slice(0, 10))] : [];
}

/** The rows of the read model that the next release adds. */
function newRows({ product }) {
  const evidence = new Evidence(product.data);
  try {
    const [owners, bots] = [evidence.rows(added.service, added.projection, added.table), evidence.rows('bots', 'bots', 'bots')];
    const problems = [...bots].filter(([id, { owner_user_id }]) => owners.get(id)?.owner_user_id !== owner_user_id).map(([id]) => id);
    for (const id of owners.keys()) if (!bots.has(id)) problems.push(id);
    return problems.length > 0 ? [problem('I6 the new read model equals the bots', problems.slice(0, 10))] : [];
  } finally {
    evidence.close();
  }
}
