// Reads the product's files directly, over read-only connections, while the product runs.
import { hkdfSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { publishAnalytics } from '../apps/analytics/dist/contracts/analytics-events.js';
import { publishBots } from '../apps/bots/dist/contracts/bots-events.js';
import { publishIdentity } from '../apps/identity/dist/contracts/identity-events.js';
import { publishInference } from '../apps/inference/dist/contracts/inference-events.js';
import { publishPublications } from '../apps/publication/dist/contracts/publication-events.js';
import { withAuditEvents } from '../libs/foundation/dist/audit/audit-streams.js';
import { offsetOf, partitionOf } from '../libs/messaging/dist/embedded/entry.js';
import { patience } from '../libs/testing/dist/patience.js';

export const services = ['identity', 'bots', 'publication', 'inference', 'analytics', 'edge'];

const maps = {
  identity: publishIdentity,
  bots: publishBots,
  publication: publishPublications,
  inference: publishInference,
  analytics: publishAnalytics,
};

/** One snapshot of a data directory. It caches its reads, so each check uses a new object. */
export class Evidence {
  #open = new Map();
  #logs = new Map();

  constructor(data) {
    this.data = data;
  }

  /** Rows from the database of a service or of the broker. */
  all(file, sql, ...params) {
    return this.#database(file)
      .prepare(sql)
      .all(...params);
  }

  /** A key of the product, derived from its master key without the product's code. */
  key(purpose) {
    const master = Buffer.from(readFileSync(join(this.data, 'master.key'), 'utf8').trim(), 'base64');
    return Buffer.from(hkdfSync('sha256', master, '', `purpose ${purpose}`, 32));
  }

  /** All commits of a service, oldest first. */
  log(service) {
    let log = this.#logs.get(service);
    if (!log) this.#logs.set(service, (log = this.all(service, `${COMMITS} ORDER BY position`).map(parsed)));
    return log;
  }

  /** Each event of a service with its commit. */
  events(service) {
    return this.log(service).flatMap((commit) => commit.events.map(({ id, event }, index) => ({ id, index, event, commit })));
  }

  stream(service, name) {
    return this.all(service, `${COMMITS} WHERE stream = ? ORDER BY version`, name).map(parsed);
  }

  /** The rows of a read model by their keys, of the version that was declared last. */
  rows(service, projection, table) {
    const newest = "SELECT id FROM read_model_progress WHERE line = '' AND id GLOB ? ORDER BY used_at DESC LIMIT 1";
    const [{ id }] = this.all(service, newest, `${projection}@v*`);
    const rows = this.all(service, `SELECT key, row FROM "${table}${id.slice(projection.length)}"`);
    return new Map(rows.map(({ key, row }) => [key, JSON.parse(row)]));
  }

  /** All public events, as the product maps them, log by log, in order. */
  published() {
    return services.flatMap((service) => {
      const publish = withAuditEvents(service, maps[service] ?? (() => []));
      return this.log(service).flatMap((commit) =>
        publish(commit).map(({ topic, key, event }, index) => {
          return { source: service, topic, partition: partitionOf(key), offset: offsetOf(commit.position, index), key, event };
        }),
      );
    });
  }

  close() {
    for (const database of this.#open.values()) database.close();
    this.#open.clear();
  }

  #database(file) {
    const path = join(this.data, `${file}.db`);
    let database = this.#open.get(file);
    if (!database) {
      if (!existsSync(path)) throw new Error(`${path} is missing`);
      this.#open.set(file, (database = new DatabaseSync(path, { readOnly: true, timeout: patience(30_000) })));
    }
    return database;
  }
}

const COMMITS = 'SELECT position, stream, version, events, metadata FROM commits';

/** Null is not stored. */
const NOTHING = { actor: null, ip: null, userAgent: null, causationId: null };

function parsed({ position, stream, version, events, metadata }) {
  return { position, stream, version, events: JSON.parse(events), metadata: { ...NOTHING, ...JSON.parse(metadata) } };
}

/** The part of a stream's name after its kind. */
export const idOf = (stream) => stream.slice(stream.indexOf('-') + 1);
