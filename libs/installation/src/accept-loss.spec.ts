import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { table } from '@parlance/read-models';
import { openSqliteReadModels } from '@parlance/read-models/sqlite';
import { openSqliteFile, type SqliteFile } from '@parlance/sqlite';
import { base, data, line, remove, start, startAgain, used, uses } from '../test/installed.ts';
import { acceptLoss } from './accept-loss.ts';
import { pathOf } from './file-installation.ts';
import { readManifest } from './manifest.ts';

const heard = { name: 'heard', version: 1, tables: [table('heard', {})] };
const opened: SqliteFile[] = [];

async function openedFile(log: string): Promise<SqliteFile> {
  const file = await openSqliteFile(pathOf(data, log));
  opened.push(file);
  return file;
}
const closeOpened = () => Promise.all(opened.splice(0).map((file) => file.close()));

describe('accepting a loss', () => {
  it('lets the next start create a missing log again', async () => {
    await used();
    remove('analytics');
    expect((await acceptLoss(data, 'analytics', uses))?.reason).toMatch(/are missing, and reached commit 2 before/);
    await startAgain();
  });
  it('accepts an older copy unchanged', async () => {
    await used();
    cpSync(pathOf(data, 'identity'), join(base, 'older.db'));
    await used();
    remove('identity');
    cpSync(join(base, 'older.db'), pathOf(data, 'identity'));
    await acceptLoss(data, 'identity', uses);
    // The manifest now has the mark of the older copy.
    expect(readManifest(data)?.logs['identity']).toEqual({ position: 3, commit: expect.any(String) });
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
  it("makes all services rebuild their read models of other services' events", async () => {
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
  it('changes nothing if the log is valid', async () => {
    await used();
    const before = readFileSync(join(data, 'manifest.json'), 'utf8');
    expect(await acceptLoss(data, 'analytics', uses)).toBeNull();
    expect(readFileSync(join(data, 'manifest.json'), 'utf8')).toBe(before);
  });
  it('keeps the marks of the other logs', async () => {
    await used();
    remove('analytics');
    remove('identity');
    await acceptLoss(data, 'analytics', uses);
    expect(await line(start())).toMatch(/^the data of identity/);
  });
});
