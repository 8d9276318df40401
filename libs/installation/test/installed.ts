import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { type EventStore, newId } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { FileInstallation, pathOf } from '../src/file-installation.ts';
import { LogRefused } from '../src/mark.ts';

// Gives each spec a data directory with two logs and a broker.

export const uses = { logs: true, broker: true };
export const metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};

export let base: string;
export let data: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'parlance-installation-'));
  data = join(base, 'data');
  cpSync(mkdtempSync(join(base, 'empty-')), data, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

export interface Running {
  readonly installation: FileInstallation;
  append(log: string, commits?: number): Promise<void>;
  /** Leaves the files as a kill -9 would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function start(logs: readonly string[] = ['identity', 'analytics'], directory = data): Promise<Running> {
  const installation = await FileInstallation.open(directory, uses);
  const files = new Map<string, { file: SqliteFile; store: EventStore | null }>();
  for (const log of [...logs, 'broker']) {
    const file = await openSqliteFile(pathOf(directory, log));
    const store = log === 'broker' ? null : await openSqliteEventStore(file);
    await installation.keep(log, file);
    files.set(log, { file, store });
  }
  const close = async () => {
    for (const { file } of files.values()) await file.close();
    await installation.stop();
  };
  return {
    installation,
    async append(log, commits = 1) {
      for (let index = 0; index < commits; index++)
        await files.get(log)!.store!.append({ stream: newId(), expected: 0, events: [{ type: 'Happened' }], metadata });
    },
    kill: close,
    async stop() {
      await Promise.all([...files.keys()].map((log) => installation.release(log)));
      await close();
    },
  };
}

export const startAgain = async () => (await start()).stop();

export async function used(directory = data): Promise<void> {
  const running = await start(undefined, directory);
  await running.append('identity', 3);
  await running.append('analytics', 2);
  await running.stop();
}

export const line = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LogRefused);
  return (error as LogRefused).message;
};

export function remove(log: string, directory = data): void {
  for (const end of ['', '-wal', '-shm']) rmSync(pathOf(directory, log) + end, { force: true });
}
