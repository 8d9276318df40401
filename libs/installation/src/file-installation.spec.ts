import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import { base, data, line, metadata, remove, start, startAgain, used } from '../test/installed.ts';
import { acceptLoss } from './accept-loss.ts';
import { FileInstallation, logsIn, pathOf } from './file-installation.ts';
import { readManifest } from './manifest.ts';

describe('the installation in a data directory', () => {
  it('starts again with all its logs', async () => {
    await used();
    await startAgain();
    expect(readManifest(data)?.logs).toEqual({
      identity: { position: 3, commit: expect.any(String) },
      analytics: { position: 2, commit: expect.any(String) },
      broker: { position: expect.any(Number), commit: null },
    });
  });
  it('keeps its ID', async () => {
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
  it('refuses a copy that another installation has continued', async () => {
    await used();
    cpSync(data, join(base, 'copy'), { recursive: true });
    await used();
    await used(join(base, 'copy'));
    remove('identity');
    cpSync(pathOf(join(base, 'copy'), 'identity'), pathOf(data, 'identity'));
    expect(await line(start())).toMatch(/have a different commit 6 than before/);
  });
  it('refuses a file that is not a database', async () => {
    await used();
    remove('identity');
    writeFileSync(pathOf(data, 'identity'), 'no database at all'.repeat(100));
    expect(await line(start())).toMatch(/can't be read/);
  });
  it('refuses to create a new manifest for files that had one', async () => {
    await used();
    rmSync(join(data, 'manifest.json'));
    expect(await line(start())).toMatch(/manifest.json\) is missing/);
  });
  it.each([true, false])('refuses a directory whose restore has not finished, with old files: %s', async (hasFiles) => {
    if (hasFiles) await used();
    rmSync(join(data, 'manifest.json'), { force: true });
    mkdirSync(join(data, 'restoring'), { recursive: true });
    await expect(start()).rejects.toThrow(/^a restore was begun and has not finished: .*run the same restore again/);
    await expect(acceptLoss(data, 'manifest.json', { logs: true, broker: true })).rejects.toThrow('has not finished');
  });
  it('refuses a damaged manifest', async () => {
    await used();
    appendFileSync(join(data, 'manifest.json'), '}');
    expect(await line(start())).toMatch(/is damaged/);
  });
  it('adopts files that are older than manifests', async () => {
    const file = await openSqliteFile(pathOf(data, 'identity'));
    const store = await openSqliteEventStore(file);
    await store.append({ stream: 'a', expected: 0, events: [{ type: 'Happened' }], metadata });
    await file.close();
    await startAgain();
    expect(readManifest(data)?.logs['identity']?.position).toBe(1);
  });
  it('checks only the files that the configuration uses', async () => {
    await used();
    remove('identity');
    const installation = await FileInstallation.open(data, { logs: false, broker: true });
    await installation.stop();
  });
  it('ignores files that do not belong to it', async () => {
    await used();
    writeFileSync(join(data, 'notes.db'), 'no database');
    await startAgain();
    expect(logsIn(data)).toEqual(['analytics', 'broker', 'identity', 'notes']);
  });
});

describe('a kill at any moment', () => {
  it('leaves a state that the next start accepts: after an append without a mark', async () => {
    await used();
    const running = await start();
    await running.append('identity', 5);
    await running.kill();
    await startAgain();
    expect(readManifest(data)?.logs['identity']?.position).toBe(8);
  });
  it('leaves a state that the next start accepts: between a new file and its stamp', async () => {
    await (await start([])).stop();
    const file = await openSqliteFile(pathOf(data, 'identity'));
    await file.close();
    await startAgain();
  });
  it('leaves a state that the next start accepts: between a stamp and the manifest', async () => {
    const running = await start();
    await running.kill();
    expect(readManifest(data)?.logs).toEqual({});
    await startAgain();
  });
  it('leaves a state that the next start accepts: while the manifest is written', async () => {
    await used();
    writeFileSync(join(data, 'manifest.json.new'), readFileSync(join(data, 'manifest.json')).subarray(0, 40));
    await startAgain();
  });
  it('leaves a state that the next start accepts: between the mark in the broker and the manifest', async () => {
    await used();
    const database = new DatabaseSync(pathOf(data, 'broker'));
    database.exec('UPDATE installation SET beat = beat + 1');
    database.close();
    await startAgain();
  });
});
