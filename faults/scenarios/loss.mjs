// A cluster in which one service's database is restored to an older state, and then emptied: the service must refuse to start, and continue
// after `parlance accept-loss` with what is left, while read models of other services are rebuilt.
import { patience } from '../../libs/testing/dist/patience.js';
import { fail, pass } from '../suite.mjs';
import { command, deadLetters } from './cluster-client.mjs';
import { withCluster } from './with-cluster.mjs';

const bots = 12;
const within = patience(120_000);

export function loss({ root }) {
  return withCluster('loss in a cluster', { PARLANCE_LOG_LEVEL: 'error' }, async ({ running, clients: [client], services, waitFor }) => {
    const { MongoClient } = await import('mongodb');
    const mongo = new MongoClient(running.servers.get('database').uri);
    try {
      await mongo.connect();
      const trial = new Loss({ root, running, client, services, mongo, waitFor });
      for (const [name, part] of Object.entries({ 'an older log': () => trial.older(), 'a lost log': () => trial.lost() })) {
        const problems = await part();
        if (problems.length > 0) fail(`${name} in a cluster`, [{ name: 'docs/how-to/back-up.md', count: problems.length, problems }], '');
        else pass(`${name} in a cluster`, trial.summary);
      }
    } finally {
      await mongo.close();
    }
  });
}

class Loss {
  summary = '';
  #kept = [];

  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Restores the database of the bots service to an older state. */
  async older() {
    this.#kept = await this.#make();
    await this.#stopBots();
    const copy = await this.#copy();
    for (const replica of this.#bots) await replica.restart();
    const lost = await this.#make();
    await this.#stopBots();
    await this.#putBack(copy);
    return this.#accept('end at commit', this.#kept, lost);
  }

  /** Empties the database of the bots service. */
  async lost() {
    const lost = [...this.#kept, ...(await this.#make())];
    await this.#stopBots();
    await this.#putBack(new Map());
    return this.#accept('are missing', [], lost);
  }

  /** The replicas of the bots service. */
  get #bots() {
    const replicas = [...this.running.servers].filter(([name]) => /^bots(-\d+)?$/.test(name)).map(([, server]) => server);
    if (replicas.length === 0) throw new Error(`there is no bots service among ${[...this.running.servers.keys()].join(', ')}`);
    return replicas;
  }

  async #stopBots() {
    for (const replica of this.#bots) await replica.stop();
  }

  /** Bots that the other services know, so that Kafka contains nothing that will be lost. */
  async #make() {
    const ids = [];
    while (ids.length < bots) {
      const id = await this.client.createBot();
      if (id !== null) ids.push(id);
    }
    await this.#areHeardOf(ids);
    return ids;
  }

  async #areHeardOf(ids) {
    const unheard = new Set(ids);
    const look = async () => {
      for (const id of unheard) if (await this.client.isKnownToPublication(id)) unheard.delete(id);
      return unheard.size === 0 && (await this.client.audited(ids)) === ids.length;
    };
    await this.waitFor(look, { timeout: within, what: 'the others to know of every bot' });
  }

  async #accept(reason, kept, lost) {
    const problems = [];
    for (const replica of this.#bots) problems.push(...(await this.#refused(replica, reason)));
    await this.#restartAllAround(async () => {
      const first = await command(this, 'accept-loss', 'bots');
      if (first.code !== 0 || !first.out.includes(reason))
        problems.push(`accept-loss ended with ${first.code}: ${first.error}${first.out}`);
      const second = await command(this, 'accept-loss', 'bots');
      if (second.code === 0) problems.push('accept-loss accepted the same loss twice');
    });
    const { problems: later, rebuilt, fresh } = await this.#goesOn(kept, lost);
    this.summary = `a start was refused; after accept-loss ${kept.length} bots exist, ${lost.length} are gone, rows are right after ${rebuilt} ms, ${fresh.length} new ones are known to all`;
    return [...problems, ...later];
  }

  async #refused(replica, reason) {
    const refusal = await replica.restart().then(
      () => '',
      (error) => String(error.message),
    );
    if (refusal.includes(reason) && refusal.includes('parlance accept-loss bots')) return [];
    return [`a start should be refused, since the data of bots ${reason}; it printed: ${refusal.slice(-300) || 'nothing, and started'}`];
  }

  /** The problems once all services run again, how long their rows took to be right, and the bots created then. */
  async #goesOn(kept, lost) {
    const before = performance.now();
    const isAsItShould = async () => (await this.#wrong(kept, lost)).length === 0;
    await this.waitFor(isAsItShould, { timeout: within, what: 'rows to be built again' }).catch(() => undefined);
    const problems = await this.#wrong(kept, lost);
    const rebuilt = Math.round(performance.now() - before);
    const fresh = await this.#make();
    this.#kept = [...kept, ...fresh];
    const audited = await this.client.audited(fresh);
    if (audited !== fresh.length) problems.push(`${fresh.length} new bots have ${audited} audit entries`);
    const letters = await deadLetters(this.running);
    if (letters > 0) problems.push(`${letters} events were set aside`);
    return { problems, rebuilt, fresh };
  }

  /** The differences between the existing bots and the answers of the bots service and of another service. */
  async #wrong(kept, lost) {
    const problems = [];
    for (const [ids, status] of [
      [kept, 200],
      [lost, 404],
    ]) {
      for (const id of ids) {
        const found = await this.client.statusOf(id);
        if (found !== status) problems.push(`bot ${id} answered ${found}, not ${status}`);
        if ((await this.client.isKnownToPublication(id)) !== (status === 200))
          problems.push(`publication ${status === 200 ? 'does not know' : 'knows'} bot ${id}`);
      }
    }
    return problems;
  }

  async #restartAllAround(work) {
    for (const server of this.services) await server.stop();
    await work();
    for (const server of this.services) await server.restart();
  }

  get #databaseOfBots() {
    return `${this.mongo.options.dbName}_bots`;
  }

  /** Every document by its collection, as in a `mongodump` of one database. */
  async #copy(name = this.#databaseOfBots) {
    const copy = new Map();
    for (const collection of await this.mongo.db(name).collections())
      copy.set(collection.collectionName, await collection.find({}, { promoteValues: false }).toArray());
    return copy;
  }

  async #putBack(copy, name = this.#databaseOfBots) {
    for (const collection of await this.mongo.db(name).collections()) {
      await collection.deleteMany({});
      const documents = copy.get(collection.collectionName) ?? [];
      if (documents.length > 0) await collection.insertMany(documents);
    }
  }
}
