import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { type EventStore, newId } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { table } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { acceptLoss } from './accept-loss.ts';
import { FileInstallation, logsIn, pathOf } from './file-installation.ts';
import { LogRefused } from './mark.ts';
import { readManifest } from './manifest.ts';

const uses = { logs: true, broker: true };
const metadata = {
  at: Instant.ofMillis(1),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  correlationId: 'c',
  causationId: null,
};

let base: string;
let data: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'parlance-installation-'));
  data = join(base, 'data');
  cpSync(mkdtempSync(join(base, 'empty-')), data, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

interface Running {
  readonly installation: FileInstallation;
  append(log: string, commits?: number): Promise<void>;
  /** Leaves everything as a kill -9 would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function start(logs: readonly string[] = ['identity', 'analytics'], directory = data): Promise<Running> {
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
      for (let nth = 0; nth < commits; nth++)
        await files.get(log)!.store!.append({ stream: newId(), expected: 0, events: [{ type: 'Happened' }], metadata });
    },
    kill: close,
    async stop() {
      await Promise.all([...files.keys()].map((log) => installation.release(log)));
      await close();
    },
  };
}

const startAgain = async () => (await start()).stop();

async function used(directory = data): Promise<void> {
  const running = await start(undefined, directory);
  await running.append('identity', 3);
  await running.append('analytics', 2);
  await running.stop();
}

const line = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LogRefused);
  return (error as LogRefused).message;
};

const heard = { name: 'heard', version: 1, tables: [table('heard', {})] };
const opened: SqliteFile[] = [];

async function openedFile(log: string): Promise<SqliteFile> {
  const file = await openSqliteFile(pathOf(data, log));
  opened.push(file);
  return file;
}
const closeOpened = () => Promise.all(opened.splice(0).map((file) => file.close()));

function remove(log: string, directory = data): void {
  for (const end of ['', '-wal', '-shm']) rmSync(pathOf(directory, log) + end, { force: true });
}

describe('the installation in a data directory', () => {
  it('starts again with everything that it has', async () => {
    await used();
    await startAgain();
    expect(readManifest(data)?.logs).toEqual({
      identity: { position: 3, commit: expect.any(String) },
      analytics: { position: 2, commit: expect.any(String) },
      broker: { position: expect.any(Number), commit: null },
    });
  });
  it('keeps its id', async () => {
    const first = await start();
    const { id } = first.installation;
    await first.stop();
    const second = await start();
    expect(second.installation.id).toBe(id);
    await second.stop();
  });
  it.each(['identity', 'analytics', 'broker'])('refuses to start without its %s', async (log) => {
    await used();
    remove(log);
    expect(await line(start())).toMatch(
      new RegExp(`^the data of ${log} \\(.*/${log}.db\\) are missing.*: put the file back, .*parlance accept-loss ${log}$`),
    );
    expect(existsSync(pathOf(data, log))).toBe(false);
  });
  it('refuses a log of another installation', async () => {
    await used();
    const other = join(base, 'other');
    cpSync(mkdtempSync(join(base, 'empty-')), other, { recursive: true });
    await used(other);
    remove('analytics');
    cpSync(pathOf(other, 'analytics'), pathOf(data, 'analytics'));
    expect(await line(start())).toMatch(/belong to another installation/);
  });
  it.each(['identity', 'broker'])('refuses an older %s', async (log) => {
    await used();
    cpSync(data, join(base, 'copy'), { recursive: true });
    await used();
    remove(log);
    cpSync(pathOf(join(base, 'copy'), log), pathOf(data, log));
    expect(await line(start())).toMatch(/older/);
  });
  it('refuses a copy that went on elsewhere', async () => {
    await used();
    cpSync(data, join(base, 'copy'), { recursive: true });
    await used();
    await used(join(base, 'copy'));
    remove('identity');
    cpSync(pathOf(join(base, 'copy'), 'identity'), pathOf(data, 'identity'));
    expect(await line(start())).toMatch(/have another commit 6 than before/);
  });
  it('refuses a file that is no database', async () => {
    await used();
    remove('identity');
    writeFileSync(pathOf(data, 'identity'), 'no database at all'.repeat(100));
    expect(await line(start())).toMatch(/can't be read/);
  });
  it('refuses to make a new manifest for files that had one', async () => {
    await used();
    rmSync(join(data, 'manifest.json'));
    expect(await line(start())).toMatch(/manifest.json\) is missing/);
  });
  it('refuses a damaged manifest', async () => {
    await used();
    appendFileSync(join(data, 'manifest.json'), '}');
    expect(await line(start())).toMatch(/is damaged/);
  });
  it('takes in files that are older than manifests', async () => {
    const file = await openSqliteFile(pathOf(data, 'identity'));
    const store = await openSqliteEventStore(file);
    await store.append({ stream: 'a', expected: 0, events: [{ type: 'Happened' }], metadata });
    await file.close();
    await startAgain();
    expect(readManifest(data)?.logs['identity']?.position).toBe(1);
  });
  it('minds only the files that the configuration uses', async () => {
    await used();
    remove('identity');
    const installation = await FileInstallation.open(data, { logs: false, broker: true });
    await installation.stop();
  });
  it('leaves files that are none of its own alone', async () => {
    await used();
    writeFileSync(join(data, 'notes.db'), 'no database');
    await startAgain();
    expect(logsIn(data)).toEqual(['analytics', 'broker', 'identity', 'notes']);
  });
});

describe('a kill at any moment', () => {
  it('leaves what the next start takes: after an append that has no mark yet', async () => {
    await used();
    const running = await start();
    await running.append('identity', 5);
    await running.kill();
    await startAgain();
    expect(readManifest(data)?.logs['identity']?.position).toBe(8);
  });
  it('leaves what the next start takes: between a new file and its stamp', async () => {
    await (await start([])).stop();
    const file = await openSqliteFile(pathOf(data, 'identity'));
    await file.close();
    await startAgain();
  });
  it('leaves what the next start takes: between a stamp and the manifest', async () => {
    const running = await start();
    await running.kill();
    expect(readManifest(data)?.logs).toEqual({});
    await startAgain();
  });
  it('leaves what the next start takes: in the middle of writing the manifest', async () => {
    await used();
    writeFileSync(join(data, 'manifest.json.new'), readFileSync(join(data, 'manifest.json')).subarray(0, 40));
    await startAgain();
  });
  it('leaves what the next start takes: between the mark in the broker and the manifest', async () => {
    await used();
    const database = new DatabaseSync(pathOf(data, 'broker'));
    database.exec('UPDATE installation SET beat = beat + 1');
    database.close();
    await startAgain();
  });
});

describe('accepting a loss', () => {
  it('lets the next start make a missing log anew', async () => {
    await used();
    remove('analytics');
    expect((await acceptLoss(data, 'analytics', uses))?.reason).toMatch(/are missing, and reached commit 2 before/);
    await startAgain();
  });
  it('takes an older copy as it is', async () => {
    await used();
    cpSync(pathOf(data, 'identity'), join(base, 'older.db'));
    await used();
    remove('identity');
    cpSync(join(base, 'older.db'), pathOf(data, 'identity'));
    await acceptLoss(data, 'identity', uses);
    await startAgain();
    expect(readManifest(data)?.logs['identity']?.position).toBe(3);
  });
  it('begins a new installation when the manifest is lost', async () => {
    await used();
    const before = readManifest(data)!.installation;
    rmSync(join(data, 'manifest.json'));
    await acceptLoss(data, 'manifest.json', uses);
    await startAgain();
    expect(readManifest(data)!.installation).not.toBe(before);
  });
  it('has read models of other services built again in all files', async () => {
    await used();
    for (const log of ['identity', 'analytics']) {
      const models = await openSqliteReadModels(await openedFile(log));
      await models.prepare([heard]);
      await models.apply({ from: await models.progress('heard'), steps: [{ to: '{"identity":"3"}', changes: [] }], reached: 1 });
    }
    await closeOpened();
    remove('analytics');
    await acceptLoss(data, 'analytics', uses);
    const models = await openSqliteReadModels(await openedFile('identity'));
    await models.prepare([heard]);
    expect(await models.progress('heard')).toMatchObject({ at: '0', ready: false });
    await closeOpened();
  });
  it('changes nothing where nothing is wrong', async () => {
    await used();
    const before = readFileSync(join(data, 'manifest.json'), 'utf8');
    expect(await acceptLoss(data, 'analytics', uses)).toBeNull();
    expect(readFileSync(join(data, 'manifest.json'), 'utf8')).toBe(before);
  });
  it('leaves the other logs under their marks', async () => {
    await used();
    remove('analytics');
    remove('identity');
    await acceptLoss(data, 'analytics', uses);
    expect(await line(start())).toMatch(/^the data of identity/);
  });
});
