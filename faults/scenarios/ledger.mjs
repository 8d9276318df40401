// Commands of many kinds through both edges of a cluster, while each of its processes is killed in turn. Afterwards the effects have to be those that the
// answers allow: what was acknowledged is there once, what was refused is not there, and what has an unknown outcome is there once or not at all.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patience } from '../../libs/testing/dist/patience.js';
import { CommandLedger, outcomeOf } from '../effects/command-ledger.mjs';
import { Commander, noted } from '../effects/commander.mjs';
import { Edges } from '../effects/edges.mjs';
import { atOnce, foundEffects } from '../effects/found-effects.mjs';
import { judged, unknownOutcomes } from '../effects/judged.mjs';
import { killInTurn } from '../effects/kills.mjs';
import { unnoticed } from '../effects/tampers.mjs';
import { random } from '../random.mjs';
import { fail, pass } from '../suite.mjs';
import { deadLetters } from './cluster-client.mjs';
import { withCluster } from './with-cluster.mjs';

const NAME = 'answers and effects in a cluster under kills';
const CLIENTS = 12;
/** A published bot may have 100 API keys, and one request in twenty creates one. */
const REQUESTS_PER_PUBLISHED = 1_000;
/** The number of problems that are printed. */
const SHOWN = 20;
const within = patience(300_000);

/** Sends at least `requests`, and more until every process was killed. */
export function ledger({ seed, requests, keep }) {
  return withCluster(NAME, {}, async ({ running, waitFor }) => {
    const directory = await mkdtemp(join(tmpdir(), 'parlance-ledger-'));
    const entries = new CommandLedger(join(directory, 'ledger.jsonl'));
    const edges = new Edges(running.urls);
    const published = await publishedBots(edges, Math.ceil(requests / REQUESTS_PER_PUBLISHED), waitFor);
    const begun = Date.now();
    const kills = await underKills({ running, edges, ledger: entries, seed, requests, published });
    const loaded = Date.now();
    const unrepeated = await repeatAll(edges, entries, waitFor);
    const { found, problems } = await settled({ edges, ledger: entries, published });
    if (unrepeated.length > 0)
      problems.push({ name: 'repeats are answered', count: unrepeated.length, problems: unrepeated.slice(0, SHOWN) });
    const letters = await deadLetters(running);
    if (letters > 0) problems.push({ name: 'nothing is set aside', count: letters, problems: [`${letters} events were set aside`] });
    if (problems.length === 0) problems.push(...unnoticed(entries, found, random(seed, 'ledger', 'tampers')));
    await entries.close();
    const { unknown, effective } = unknownOutcomes(entries, found);
    const figures = [
      `${entries.sent} requests in ${seconds(begun, loaded)} s, checked in ${seconds(loaded, Date.now())} s`,
      `${[...kills.values()].reduce((sum, count) => sum + count)} kills: ${listed(kills)}`,
      `answers: ${listed(entries.answers)}`,
      `${unknown} outcomes remained unknown, ${effective} of these commands have their effect`,
    ].join('; ');
    if (problems.length > 0) fail(NAME, problems, `${figures}; the ledger is in ${directory}`);
    else pass(NAME, figures);
    if (problems.length === 0 && !keep) await rm(directory, { recursive: true });
  });
}

async function underKills({ running, edges, ledger: entries, seed, requests, published }) {
  const over = new AbortController();
  const { signal } = over;
  const clients = Array.from({ length: CLIENTS }, (_, number) =>
    new Commander({ edges, ledger: entries, chance: random(seed, 'ledger', number), number, published }).work(() => signal.aborted),
  );
  const killing = killInTurn(running.servers, random(seed, 'ledger', 'kills'), () => entries.sent >= requests, signal);
  try {
    // A client that rejects ends the kills as well.
    return await Promise.race([killing, Promise.all(clients).then(() => killing)]);
  } finally {
    over.abort();
    await Promise.allSettled([killing, ...clients]);
  }
}

/** Repeats every command that has a key, unless it was refused. Afterwards its effect is there. Returns those that were not answered in time. */
async function repeatAll(edges, entries, waitFor) {
  const repeatable = entries.commands.filter(
    ({ key, mustFail, attempts }) => key !== undefined && !mustFail && attempts.some((answer) => outcomeOf(answer) !== 'refused'),
  );
  const unanswered = [];
  await atOnce(repeatable, async (command) => {
    const { method, path, body } = command.request;
    let edge = 0;
    const repeat = async () => {
      edge = (edge + 1) % edges.urls.length;
      const answer = await edges.ask(edge, method, path, body, { 'idempotency-key': command.key });
      entries.note(command, noted(answer));
      return answer.status !== null && answer.status < 500;
    };
    await waitFor(repeat, { timeout: within, what: command.mark }).catch(({ message }) => unanswered.push(message));
  });
  return unanswered;
}

/** Replies and audit entries may follow later. */
const LATER = new Set(['every message has one reply', 'every effect has one audit entry']);

/** Reads the effects until nothing is missing that may follow later, or until the time is over. */
async function settled({ edges, ledger: entries, published }) {
  for (const until = Date.now() + within; ;) {
    const found = await foundEffects(edges, entries, published);
    const problems = judged(entries, found);
    if (problems.every(({ name }) => !LATER.has(name)) || Date.now() > until) return { found, problems };
  }
}

async function publishedBots(edges, count, waitFor) {
  const ids = [];
  for (let n = 0; n < count; n++) {
    const { body } = await edges.ask(0, 'POST', '/bot', { title: `Published ${n}` });
    await edges.ask(0, 'PATCH', `/bot/${body.id}/visibility`, { target_shared_scope: 'all' });
    await edges.ask(0, 'POST', `/bot/${body.id}/publication`, { allowed_origins: ['*'] });
    const isThere = async () => (await edges.ask(0, 'GET', `/bot/${body.id}/publication`)).body.codebuild_status === 'SUCCEEDED';
    await waitFor(isThere, { timeout: within, what: 'the publication' });
    ids.push(body.id);
  }
  return ids;
}

const seconds = (from, to) => Math.round((to - from) / 1_000);
const listed = (counts) => [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
