import { equal } from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { type Broker, RETENTION_MS } from '../../src/broker.ts';
import { type EmbeddedBrokerOptions, openEmbeddedBroker } from '../../src/embedded/embedded-broker.ts';
import { OFFSETS } from '../../src/embedded/schema.ts';
import { EndsHandlers } from './broken-brokers.ts';
import { type BrokerHarness, contractRetry, eventually } from './harness.ts';

/** Embedded brokers, each in its own folder, for specs. A spec can break them by `through`. */
export class EmbeddedHarnesses {
  readonly #undo: (() => Promise<unknown>)[] = [];

  async open(patienceMs = 10_000, through = (broker: Broker): Broker => broker): Promise<BrokerHarness> {
    const folder = await this.#folder();
    let ahead = 0;
    const file = await this.#file(folder);
    const broker = through(await this.#broker(file, { now: () => Date.now() + ahead, steady: () => performance.now() + ahead }));
    return {
      broker,
      patienceMs,
      trim: async (topic) => {
        ahead = RETENTION_MS + 2_000;
        await eventually(patienceMs, async () => equal(eventsIn(file, topic), 0));
      },
      crash: async () => {
        // The next process finds the current content of the files.
        const copy = await this.#folder();
        await cp(folder, copy, { recursive: true });
        return through(await this.#broker(await this.#file(copy)));
      },
    };
  }

  async file(): Promise<SqliteFile> {
    return this.#file(await this.#folder());
  }

  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).toReversed()) await undo();
  }

  async #folder(): Promise<string> {
    const parent = await mkdtemp(join(tmpdir(), 'parlance-broker-'));
    this.#undo.push(() => rm(parent, { recursive: true }));
    await mkdir(join(parent, 'data'));
    return join(parent, 'data');
  }

  async #file(folder: string): Promise<SqliteFile> {
    const file = await openSqliteFile(join(folder, 'broker.db'));
    this.#undo.push(() => file.close());
    return file;
  }

  async #broker(file: SqliteFile, clock?: EmbeddedBrokerOptions['clock']): Promise<Broker> {
    const broker = await openEmbeddedBroker(file, { retry: contractRetry, trimEveryMs: 10, ...(clock && { clock }) });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#undo.push(() => {
      end();
      return broker.close();
    });
    return new EndsHandlers(broker, ended);
  }
}

function eventsIn(file: SqliteFile, topic: string): number {
  const sql = 'SELECT count(*) AS count FROM broker_log l JOIN broker_partitions p ON p.id = l.place / ? WHERE p.topic = ?';
  return file.get<{ count: number }>(sql, OFFSETS, topic)!.count;
}
