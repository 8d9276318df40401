// The restore drill of a cluster: `parlance backup` under load, everything removed, `parlance restore`, `parlance verify`, and on. The restored cluster
// must be one state: with everything that was acknowledged before the backup, without what came after it, and with one audit entry for each change.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { patience } from '../../libs/testing/dist/patience.js';
import { fail, pass } from '../suite.mjs';
import { command, deadLetters, signedIn } from './cluster-client.mjs';
import { withCluster } from './with-cluster.mjs';

const BOTS = 12;
const within = patience(180_000);
/** Another installation could share this Kafka. */
const environment = { PARLANCE_LOG_LEVEL: 'error', PARLANCE_KAFKA_PREFIX: 'acme.' };

export function clusterRestore({ root, count }) {
  return withCluster('backup and restore of a cluster', environment, async (parts) => {
    for (let round = 1; round <= count; round += 1) {
      const drill = new Drill({ ...parts, root, backup: join(parts.directory, `backup-${round}`) });
      const name = `restore drill ${round} of a cluster`;
      await drill.run().catch((error) => drill.problems.push(error.stack));
      const { problems, figures } = drill;
      if (problems.length > 0) fail(name, [{ name: 'one state', count: problems.length, problems: problems.slice(0, 20) }], figures);
      else pass(name, figures);
    }
  });
}

class Drill {
  problems = [];
  figures = '';

  constructor(parts) {
    Object.assign(this, parts);
  }

  async run() {
    // The tokens of the first round end after half an hour.
    this.clients = await Promise.all(this.running.urls.map(signedIn));
    const before = await this.#make(this.clients[0]);
    const kept = await this.#putObject();
    const during = await this.#backUpUnderLoad();
    const later = await this.#make(this.clients[0]);
    await this.#expectRefusal('is running', 'restore', this.backup, '--replace');
    for (const server of this.services) await server.stop();
    await this.#expectRefusal('not empty', 'restore', this.backup);
    await this.#removeEverything();
    await this.#succeed('restore', this.backup, '--replace');
    await this.#succeed('verify');
    for (const server of this.services) await server.restart();
    await this.#goOn({ before, during, later, kept });
    await rm(this.backup, { recursive: true });
  }

  async #make(client) {
    const ids = [];
    const made = async () => {
      const id = await client.createBot();
      if (id !== null) ids.push(id);
      return ids.length === BOTS;
    };
    await this.waitFor(made, { timeout: within, what: `${BOTS} bots to be acknowledged` });
    return ids;
  }

  /** Bots that are created through all edges until the backup is complete. */
  async #backUpUnderLoad() {
    const made = [];
    const over = new AbortController();
    const loads = this.clients.map(async (client) => {
      while (!over.signal.aborted) {
        const id = await client.createBot();
        if (id !== null) made.push(id);
      }
    });
    await this.#succeed('backup', this.backup);
    over.abort();
    await Promise.all(loads);
    await this.#succeed('verify', this.backup);
    return made;
  }

  async #putObject() {
    const key = `drill/${randomUUID()}.txt`;
    const content = Buffer.from('kept in the backup');
    await this.#inStore((store) => store.put(key, content, { contentType: 'text/plain; charset=utf-8' }));
    return { key, content };
  }

  /** As after the loss of all servers; the ID of the installation and Kafka stay, as after a mistake. */
  async #removeEverything() {
    const { MongoClient } = await import('mongodb');
    const mongo = await new MongoClient(this.running.servers.get('database').uri).connect();
    const { databases } = await mongo.db().admin().listDatabases();
    for (const { name } of databases) if (name.startsWith(`${mongo.options.dbName}_`)) await mongo.db(name).dropDatabase();
    await mongo.close();
    await this.#inStore(async (store) => {
      for (const { key } of await store.list('', { limit: 1_000 })) await store.remove(key);
    });
  }

  async #goOn({ before, during, later, kept }) {
    this.clients = await Promise.all(this.running.urls.map(signedIn));
    const [client] = this.clients;
    const [there, gone] = [[], []];
    for (const id of during) ((await client.statusOf(id)) === 200 ? there : gone).push(id);
    for (const id of before) if ((await client.statusOf(id)) !== 200) this.problems.push(`bot ${id} was acknowledged before the backup`);
    for (const id of later) if ((await client.statusOf(id)) !== 404) this.problems.push(`bot ${id} was created after the backup`);
    // A state of one moment has the bots of a sequence up to some point; the two edges interleave.
    const fresh = await this.#make(client);
    const all = [...before, ...there, ...fresh];
    const known = async () => (await this.#unknown(all)).length === 0;
    await this.waitFor(known, { timeout: within, what: 'the others to know every bot' }).catch(() => undefined);
    this.problems.push(...(await this.#unknown(all)));
    for (const id of [...gone, ...later]) if (await client.isKnownToPublication(id)) this.problems.push(`publication knows bot ${id}`);
    await this.#audited(all, [...gone, ...later]);
    const object = await this.#inStore(async (store) => {
      const found = await store.get(kept.key);
      return found && { type: found.contentType, content: Buffer.concat(await found.body.toArray()) };
    });
    if (!object?.content.equals(kept.content) || object.type !== 'text/plain; charset=utf-8')
      this.problems.push('an object is not the same');
    const letters = await deadLetters(this.running);
    if (letters > 0) this.problems.push(`${letters} events were set aside`);
    this.figures = `${before.length} bots from before the backup exist, ${there.length} of ${during.length} from during it, none of ${later.length} later ones; ${fresh.length} new ones are known to all`;
  }

  /** The bots that publication or the audit log does not know yet. */
  async #unknown(ids) {
    const problems = [];
    const entries = await this.clients[0].entriesOf('create_bot');
    for (const id of ids) {
      if (!(await this.clients[0].isKnownToPublication(id))) problems.push(`publication does not know bot ${id}`);
      if (!entries.has(id)) problems.push(`the audit log does not have bot ${id}`);
    }
    return problems;
  }

  async #audited(there, gone) {
    const entries = await this.clients[0].entriesOf('create_bot');
    for (const id of there) if (entries.get(id) !== 1) this.problems.push(`bot ${id} has ${entries.get(id) ?? 0} audit entries`);
    for (const id of gone) if (entries.has(id)) this.problems.push(`bot ${id} is gone and has an audit entry`);
  }

  async #succeed(...words) {
    const { code, out, error } = await command(this, ...words);
    if (code !== 0) throw new Error(`parlance ${words.join(' ')} ended with ${code}: ${error}${out}`);
    return out;
  }

  async #expectRefusal(reason, ...words) {
    const { code, error } = await command(this, ...words);
    if (code === 0 || !error.includes(reason)) this.problems.push(`parlance ${words.join(' ')} should say "${reason}": ${code} ${error}`);
  }

  async #inStore(work) {
    const { openS3ObjectStore } = await import('@parlance/object-store/s3');
    const store = openS3ObjectStore({ ...this.running.bucket, edge: { baseUrl: '', secret: new Uint8Array(32) } });
    return work(store).finally(() => store.close());
  }
}
