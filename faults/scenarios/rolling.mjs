// A rolling update of a cluster under load, and its rollback: replicas of the previous release are replaced one by one by replicas of the
// present one, which writes an event that the previous release does not know. Every acknowledged change must be published and audited once,
// and nothing may be set aside. `from` is a built tree of a real release; without it, a copy of the build stands for the previous release.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '../../libs/testing/dist/patience.js';
import { mainOfRelease } from '../sabotage/main-of-release.mjs';
import { lastRelease } from '../sabotage/last-release.mjs';
import { fail, pass, skip } from '../suite.mjs';
import { admin, deadLetters, redriven, signedIn } from './cluster-client.mjs';
import { Additions, oneWordProvider } from './rolling-additions.mjs';

/** Longer than the older release waits for the newer one, in its relay and in its consumers. */
const within = patience(300_000);
const EVERY_MS = 100;
/** The time for which replicas of the previous release hold back events that they do not know. */
const HELD_MS = 300_000;

export async function rolling({ root, from }) {
  const { cluster, missing, waitFor } = await import('@parlance/testing');
  const lacking = missing('kafka') ?? missing('mongo') ?? missing('s3');
  if (lacking) return skip('a rolling update', lacking);
  const directory = await mkdtemp(join(tmpdir(), 'parlance-rolling-'));
  const last = from === undefined ? await lastRelease(root) : { root: from, remove: async () => undefined };
  const releaseOf = (name) => join(directory, 'releases', name);
  const install = (name, tree) => {
    rmSync(releaseOf(name), { force: true });
    symlinkSync(tree, releaseOf(name));
  };
  const provider = await oneWordProvider();
  let running;
  try {
    mkdirSync(join(directory, 'releases'));
    const mainOf = (name, service) => {
      install(name, last.root);
      return mainOfRelease(directory, name, service, releaseOf(name));
    };
    const environment = {
      PARLANCE_ADMIN_EMAIL: admin.email,
      PARLANCE_ADMIN_PASSWORD: admin.password,
      PARLANCE_LOG_LEVEL: 'warn',
      PARLANCE_REQUESTS_PER_MINUTE: '0',
      // Requests for routes that only the newer release has.
      PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
      PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32',
    };
    running = await cluster(environment, { directory }, undefined, mainOf);
    const clients = [await signedIn(running.urls[0]), await signedIn(running.urls[1])];
    const additions = new Additions(clients, provider.url);
    const replicas = [...running.servers].filter(([name]) => !['database', 'kafka', 's3'].includes(name));
    const replaceBy = async (tree) => {
      for (const [name, server] of replicas) {
        install(name, tree);
        additions.restarting = name;
        await server.restart();
      }
      additions.restarting = null;
    };
    for (const [name, tree, isPublished] of [
      ['an update', root, true],
      // A real release may create groups, so their events are known to both.
      ['its rollback', last.root, from !== undefined],
      ['the next update', root, true],
    ]) {
      const begun = Date.now();
      const said = await additions.during(() => underLoad(clients, () => replaceBy(tree)));
      const took = Date.now() - begun;
      const late = isPublished ? await redriven(running) : 0;
      const problems = await problemsOf({ ...said, groups: isPublished ? said.groups : [] }, clients[0], waitFor);
      const letters = isPublished ? await deadLetters(running) : 0;
      if (letters > 0) problems.push(`${letters} events were set aside`);
      // On a slow machine, the update takes longer than replicas of the previous release wait. The next update finds what was set aside after the rollback.
      if (name === 'an update' && late > 0 && took < HELD_MS)
        problems.push(`${late} events were set aside within ${Math.round(took / 1_000)} s, and not held`);
      problems.push(...additions.problems.splice(0));
      if (tree === root) problems.push(...(await additions.check(waitFor, within)));
      const unpublished = (await missingOf(said.groups, 'create_group', clients[0])).length;
      const figures = `${said.bots.length} bots and ${said.groups.length} groups acknowledged, ${said.refused} requests not, ${late} events redriven, ${unpublished} events of the newer release unpublished; refusals because of the other release: ${additions.takeRefusals()}`;
      if (problems.length > 0)
        fail(`${name} under load`, [{ name: 'acknowledged is published', count: problems.length, problems }], figures);
      else pass(`${name} under load`, figures);
    }
  } finally {
    await running?.stop();
    await provider.stop();
    await last.remove();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Creates bots and groups through both edges until the work is done. */
async function underLoad(clients, work) {
  const said = { bots: [], groups: [], refused: 0 };
  const over = new AbortController();
  const load = async (client, at) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const bot = await client.createBot();
      if (bot === null) said.refused++;
      else said.bots.push(bot);
      const group = `group-${at}-${Date.now()}-${n}`;
      if (await client.createGroup(group)) said.groups.push(group);
      await pause(EVERY_MS);
    }
  };
  const loads = clients.map(load);
  try {
    await work();
    // The newest replicas are used as well.
    await pause(2_000);
  } finally {
    over.abort();
    await Promise.all(loads);
  }
  return said;
}

async function missingOf(ids, action, client) {
  const entries = await client.entriesOf(action);
  return ids.filter((id) => entries.get(id) !== 1).map((id) => `${action} of ${id} has ${entries.get(id) ?? 0} audit entries`);
}

async function problemsOf({ bots, groups }, client, waitFor) {
  const look = async () => [...(await missingOf(bots, 'create_bot', client)), ...(await missingOf(groups, 'create_group', client))];
  await waitFor(async () => (await look()).length === 0, { timeout: within, what: 'audit entries' }).catch(() => undefined);
  return look();
}
