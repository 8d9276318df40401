// kill -9 of the single process while a key of a published bot is used: no more requests are answered than its quota allows.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '../../libs/testing/dist/patience.js';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { violations } from '../checks/index.mjs';
import { logHasNoGaps } from '../checks/log-has-no-gaps.mjs';
import { publishedIsCommitted } from '../checks/published-is-committed.mjs';
import { Evidence } from '../evidence.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const LIMIT = 100;
/** Requests before and after each kill. Together they exceed the quota. */
const BURST = 80;
const AT_ONCE = 40;

const invariant = 'I5 no request is admitted over the quota';
const logs = [
  { name: 'I2 logs have no gaps', look: logHasNoGaps },
  { name: 'I3 published is what was committed', look: publishedIsCommitted },
];
/** A call of this tool counts towards the quota without calling a model. */
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_knowledge', arguments: { query: 'harbour' } } };

export async function quota({ root, seed, count, keep }) {
  const trial = await Trial.open(root, seed, 'quota');
  const { found, round, figures } = await bursts(trial, count);
  if (found.length === 0) found.push(...(await trial.comeToRest()), ...(await looked(trial)));
  await trial.end({ keep: keep || found.length > 0 });
  const name = `quota of a key, ${count} kills`;
  const { admitted, refused, unanswered } = figures;
  const said = `${admitted} admitted, ${refused} refused, ${unanswered} unanswered`;
  if (found.length === 0) pass(name, `${said}, never more than ${LIMIT} with one key`);
  else fail(name, found, `in round ${round}; ${said}; all of it is in ${trial.directory}`);
}

/** Each round has its own key. Ends with the first problem. */
export async function bursts(trial, count, isEnough = (found) => found.length > 0) {
  const figures = { admitted: 0, refused: 0, unanswered: 0 };
  let found = await trial.start();
  if (found.length > 0) return { found, round: 0, figures };
  const published = await publish(trial.product);
  for (let round = 1; round <= count; round++) {
    const problems = [];
    found = await burst(trial, round, published, figures, problems);
    if (problems.length > 0) found.push({ name: invariant, count: problems.length, problems });
    if (isEnough(found)) return { found, round, figures };
  }
  return { found, round: count, figures };
}

async function burst(trial, round, { bot, path }, figures, problems) {
  const { product } = trial;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const key = await good(product, 'POST', `/bot/${bot}/publication/api-key`, { description: `Round ${round}` });
  const total = { sent: 0, admitted: 0 };
  const send = (requests) => Promise.all(Array.from({ length: requests }, one));
  const one = async () => {
    total.sent++;
    const headers = { 'x-api-key': key.value, accept: 'application/json, text/event-stream' };
    const { status, body } = await product.ask('POST', `${path}/mcp`, call, { signedIn: false, agent, headers });
    if (status === null) figures.unanswered++;
    else if (status === 200) {
      figures.admitted++;
      total.admitted++;
    } else if (body?.code === 'quota_exceeded') figures.refused++;
    else problems.push(`round ${round}: a request was answered with ${status} ${JSON.stringify(body)}`);
  };
  const sending = send(BURST);
  await pause(trial.chanceOf(round).between(5, 400));
  await product.kill();
  await sending;
  const found = await trial.start();
  if (found.length > 0) return found;

  const before = total.admitted;
  await send(BURST);
  if (total.admitted > LIMIT) problems.push(`round ${round}: ${total.admitted} requests were admitted`);
  const ofKey = async () => {
    const { by_key } = await good(product, 'GET', `/bot/${bot}/publication/usage`);
    return by_key.find(({ api_key_id }) => api_key_id === key.id)?.request_count ?? 0;
  };
  const isReported = async () => (await ofKey()) >= total.admitted - before;
  await waitFor(isReported, { timeout: patience(30_000), what: 'the usage to be recorded' }).catch((error) => problems.push(error.message));
  const used = await ofKey();
  if (used > total.sent) problems.push(`round ${round}: the usage reports ${used} requests, but ${total.sent} were sent`);
  agent.destroy();
  return [];
}

async function publish(product) {
  const { id: bot } = await good(product, 'POST', '/bot', { title: 'Harbour' });
  await good(product, 'PATCH', `/bot/${bot}/visibility`, { target_shared_scope: 'all' });
  await good(product, 'POST', `/bot/${bot}/publication`, {
    allowed_origins: ['*'],
    quota: { limit: LIMIT, period: 'MONTH' },
    throttle: { rate_limit: 100_000, burst_limit: 10_000 },
  });
  const endpoint = async () => (await good(product, 'GET', `/bot/${bot}/publication`)).endpoint;
  const { pathname } = new URL(await waitFor(endpoint, { timeout: patience(30_000), what: 'the deployment to end' }));
  return { bot, path: pathname };
}

async function good(product, method, path, body) {
  const answer = await product.ask(method, path, body);
  if (answer.status === null || answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function looked({ product, ledger }) {
  const evidence = new Evidence(product.data);
  try {
    return await violations(logs, { evidence, product, ledger });
  } finally {
    evidence.close();
  }
}
