// No request is acknowledged before its fsync, and acknowledged requests survive a crash at any fsync.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patience } from '../../libs/testing/dist/patience.js';
import { callsOf, dyingAtSync, missing, watching } from '../strace.mjs';
import { fail, pass, skip } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const requests = 50;
const name = 'fsync before acknowledgement';

/** The requests, and for each the service whose log must contain its text. */
const commands = [
  {
    ask: (product, id) => product.ask('POST', '/bot', { id, title: 'Synced' }),
    status: 201,
    log: 'bots.db-wal',
    text: (id) => `bot-${id}`,
  },
  {
    ask: (product, id) => {
      const message = { content: [{ content_type: 'text', body: 'Is this safe?' }] };
      return product.ask('POST', '/conversation', { conversation_id: id, message });
    },
    status: 202,
    log: 'inference.db-wal',
    text: (id) => `conversation-${id}`,
  },
];

/** Returns the problems in the order of writes, syncs and answers, one request after another. */
export async function syncedBeforeAnswered(trial) {
  const { product } = trial;
  const trace = join(trial.directory, 'trace');
  const found = await trial.start(watching(trace));
  if (found.length > 0) return found;
  const chance = trial.chanceOf('ids');
  const asked = [];
  for (let number = 0; number < requests; number++) {
    for (const command of commands) {
      const id = chance.ulid();
      const { status } = await command.ask(product, id);
      asked.push({ ...command, id, answered: status });
    }
  }
  await product.kill();
  const calls = callsOf(await readFile(trace, 'latin1'));
  const problems = asked.map((each) => objection(each, calls)).filter((problem) => problem !== undefined);
  return problems.length === 0 ? [] : [{ name, count: problems.length, problems: problems.slice(0, 5) }];
}

function objection({ id, status, answered, log, text }, calls) {
  const what = `${log.replace('.db-wal', '')} ${id}`;
  if (answered !== status) return `${what} answered ${answered}, not ${status}`;
  const answer = calls.find((call) => call.text.includes(`HTTP/1.1 ${status}`) && call.text.includes(id));
  // The first page with the text belongs to the append itself; read models follow in later transactions.
  const written = calls.find((call) => call.name === 'pwrite64' && call.target.endsWith(`/${log}`) && call.text.includes(text(id)));
  if (!answer) return `${what}: its answer is not in the trace`;
  if (!written || written.begun > answer.begun) return `${what} was answered before it was written to ${log}`;
  const isSync = (call) => (call.name === 'fdatasync' || call.name === 'fsync') && call.target.endsWith(`/${log}`) && !call.failed;
  if (calls.some((call) => isSync(call) && call.begun > written.begun && call.done < answer.begun)) return undefined;
  return `${what} was answered, and ${log} not synced since it was written there`;
}

async function syncs(root, seed) {
  const trial = await Trial.open(root, seed, 'fsync');
  const begun = performance.now();
  const found = await syncedBeforeAnswered(trial);
  await trial.end({ keep: found.length > 0 });
  const count = requests * commands.length;
  if (found.length === 0) pass(name, `${count} answers, 0 without a sync (${Math.round((performance.now() - begun) / 1000)} s)`);
  else fail(name, found, `the trace is in ${trial.directory}`);
}

/** Crashes at the n-th sync, some of them before the product is ready. */
async function deaths(root, seed, count) {
  const trial = await Trial.open(root, seed, 'crash at fsync');
  let found = [];
  let early = 0;
  for (let round = 1; found.length === 0 && round <= count; round++) {
    const n = trial.chanceOf(round, 'sync').between(1, 60);
    // A crash before the product is ready is expected here.
    if ((await trial.start(dyingAtSync(n))).length > 0) early++;
    else if (!(await trial.dieUnderLoad(round, patience(60_000)))) {
      found = [{ name: 'the harness', count: 1, problems: [`in round ${round} no crash happened at sync ${n}`] }];
      break;
    }
    found = await trial.start();
    if (found.length === 0) found = await trial.look();
    if (found.length === 0 && round === count) found = await trial.settle();
    await trial.product.kill();
  }
  await trial.end({ keep: found.length > 0 });
  const { acknowledged, unanswered } = trial.ledger.counts;
  const figures = `${early} of them before it was ready, ${acknowledged} acknowledged, ${unanswered} unanswered`;
  if (found.length === 0) pass(`crash at a sync, ${count} times`, `${figures}, nothing lost`);
  else fail(`crash at a sync, ${count} times`, found, `${figures}; all of it is in ${trial.directory}`);
}

export async function fsync({ root, seed, crashes }) {
  const why = missing();
  if (why !== undefined) return skip(name, why);
  await syncs(root, seed);
  if (crashes > 0) await deaths(root, seed, crashes);
}
