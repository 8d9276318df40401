import { deepEqual } from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { type Broker, type Lag, NotNow, RETENTION_MS } from '../../src/broker.ts';
import { type EmbeddedBrokerOptions, openEmbeddedBroker } from '../../src/embedded/embedded-broker.ts';
import { EndsHandlers } from './broken-brokers.ts';
import { type BrokerHarness, contractRetry, eventually, fresh } from './harness.ts';

/** Embedded brokers, each in its own folder, for specs. A spec can break them by `through`. */
export class EmbeddedHarnesses {
  readonly #undo: (() => Promise<unknown>)[] = [];

  async open(patienceMs = 10_000, through = (broker: Broker): Broker => broker): Promise<BrokerHarness> {
    const folder = await this.folder();
    let ahead = 0;
    const file = await this.#file(folder);
    const broker = through(await this.#broker(file, { now: () => Date.now() + ahead, steady: () => performance.now() + ahead }));
    return {
      broker,
      patienceMs,
      trim: async (topic) => {
        // A group that handles nothing is behind until its events are dropped.
        const group = fresh('trimming');
        const handle = () => Promise.reject(new NotNow(new Error('it waits for the trimming')));
        const waiting = await broker.subscribe({ group, topics: [topic], handle });
        ahead = RETENTION_MS + 2_000;
        await eventually(patienceMs, async () => deepEqual(behindIn(await broker.lag(group)), []));
        await waiting.stop();
      },
      crash: async () => {
        // The next process finds the current content of the files.
        const copy = await this.folder();
        await cp(folder, copy, { recursive: true });
        return through(await this.#broker(await this.#file(copy)));
      },
    };
  }

  async file(): Promise<SqliteFile> {
    return this.#file(await this.folder());
  }

  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).toReversed()) await undo();
  }

  async folder(): Promise<string> {
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
    const broker = await openEmbeddedBroker(file, { retry: contractRetry, tendEveryMs: 10, ...(clock && { clock }) });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#undo.push(() => {
      end();
      return broker.close();
    });
    return new EndsHandlers(broker, ended);
  }
}

const behindIn = (lags: readonly Lag[]) => lags.filter(({ behind }) => behind > 0);
