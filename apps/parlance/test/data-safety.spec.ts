import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ownInstallation } from './own-installation.ts';

// Each test starts the product, or one or two commands.
const { base, data, env, product, parlance, ask } = await ownInstallation();

async function makeBot(title: string): Promise<string> {
  const { status, body } = await ask('/bot', { title });
  expect(status).toBe(201);
  return String(body['id']);
}

/** 0 while the read model is being built. */
const audited = async (): Promise<number> =>
  ((await ask('/admin/audit-logs?limit=1000')).body['audit_logs'] as unknown[] | undefined)?.length ?? 0;
const file = (log: string, directory = data) => join(directory, `${log}.db`);
const serverLog = () => readFileSync(join(base, 'server.log'), 'utf8');

/** The tests tell one story, in this order. */
describe('the data of an installation', () => {
  let early: string;
  let lateBot: string;

  it('is backed up while the product runs', async () => {
    early = await makeBot('Early');
    await waitFor(async () => (await audited()) >= 1, { what: 'the audit entry' });
    const { code, out, error } = await parlance('backup', 'first');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^bots {10}1 commits, \d+ KiB$/m);
    expect(out).toMatch(/^Master key {4}NOT in the backup/m);
    expect(existsSync(join(base, 'first', 'master.key'))).toBe(false);
    lateBot = await makeBot('Late');
  });
  it('is not backed up into a directory that is not empty', async () => {
    expect(await parlance('backup', 'first')).toMatchObject({ code: 1, error: expect.stringMatching(/first is not empty/) });
  });
  it('is backed up into a new folder of `backupDir`', async () => {
    expect(await parlance('backup')).toMatchObject({ code: 1, error: expect.stringMatching(/needs one directory.*backupDir/) });
    const backupDir = join(base, 'backups');
    env['PARLANCE_BACKUP_DIR'] = backupDir;
    const { code, error } = await parlance('backup');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(readdirSync(backupDir)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/)]);
    expect(existsSync(join(backupDir, readdirSync(backupDir)[0]!, 'backup.json'))).toBe(true);
  });
  it('is not verified while the product runs', async () => {
    expect(await parlance('verify')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/is running: stop it first, or verify a backup/),
    });
  });
  it('is complete in the backup and in the data directory', async () => {
    expect(await parlance('verify', 'first')).toMatchObject({ code: 0, out: expect.stringMatching(/Everything is as it should be/) });
    await product.stop();
    const { code, out } = await parlance('verify');
    expect(out).toMatch(/^analytics: spend .*equal to a replay$/m);
    expect(code).toBe(0);
  });
  it.each(['analytics', 'identity', 'broker'])('is not replaced by an empty log if %s.db is missing', async (log) => {
    renameSync(file(log), join(base, 'away'));
    expect(await parlance('start')).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(new RegExp(`^parlance: the data of ${log} \\(.*${log}.db\\) are missing.*accept-loss ${log}\n$`)),
    });
    renameSync(join(base, 'away'), file(log));
  });
  it('rebuilds rows that were dropped by hand, and logs the rebuild', async () => {
    const database = new DatabaseSync(file('analytics'));
    const [table] = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'audit_log@*'").all() as [
      { name: string },
    ];
    const { rows } = database.prepare(`SELECT count(*) AS rows FROM "${table.name}"`).get() as { rows: number };
    database.exec(`DROP TABLE "${table.name}"`);
    database.close();
    await product.restart();
    await waitFor(async () => (await audited()) >= rows, { what: 'the rows' });
    expect(serverLog()).toMatch(/"projection":"audit-log".*rows of a read model are missing; they are built again/);
    await product.stop();
  });
  it('is reported as damaged, with file, table and position, if twelve bytes have changed', async () => {
    cpSync(data, join(base, 'whole'), { recursive: true });
    const bytes = readFileSync(file('bots'));
    // Texts are encrypted, so the search is for the type of the event. SQLite fills a page from its end, so the first commit is the last match.
    const at = bytes.lastIndexOf('"BotCreated"');
    expect(at).toBeGreaterThan(0);
    for (let index = 0; index < 12; index++) bytes[at + index]! ^= 1;
    writeFileSync(file('bots'), bytes);
    const { code, out } = await parlance('verify');
    expect(code).toBe(1);
    expect(out).toMatch(/bots.db: table commits, position 1: its text differs from the written one/);
    rmSync(data, { recursive: true });
    renameSync(join(base, 'whole'), data);
  });
  it('is not overwritten by a restore without --replace', async () => {
    expect(await parlance('restore', 'first')).toMatchObject({ code: 1, error: expect.stringMatching(/data is not empty.*--replace/) });
  });
  it('is not restored from a damaged backup', async () => {
    cpSync(join(base, 'first'), join(base, 'damaged'), { recursive: true });
    const bytes = readFileSync(file('identity', join(base, 'damaged')));
    bytes[5_000]! ^= 1;
    writeFileSync(file('identity', join(base, 'damaged')), bytes);
    expect(await parlance('restore', 'damaged', '--replace')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/damaged \(identity.db differs from the backup's checksum\).*nothing was changed/),
    });
  });
  it('is restored to the state of the backup, and the loss is printed', async () => {
    const { code, out, error } = await parlance('restore', 'first', '--replace');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^Lost {10}everything since then: .*1 commits of bots/m);
    expect(out).toMatch(/^Master key {4}the right one is in place$/m);
    await product.restart();
    expect((await ask(`/bot/${early}`)).status).toBe(200);
    expect((await ask(`/bot/${lateBot}`)).status).toBe(404);
    await product.stop();
    expect((await parlance('verify')).code).toBe(0);
  });
  it('is not mixed with files from the lost period', async () => {
    const aside = readdirSync(data).find((name) => name.startsWith('replaced-'))!;
    renameSync(file('bots'), join(base, 'away'));
    cpSync(file('bots', join(data, aside)), file('bots'));
    expect((await parlance('start')).error).toMatch(/belong to another installation/);
    renameSync(join(base, 'away'), file('bots'));
  });
  it('is restored in another directory after the master key is copied there', async () => {
    const elsewhere = join(base, 'elsewhere');
    env['PARLANCE_DATA_DIR'] = elsewhere;
    expect((await parlance('restore', 'first')).out).toMatch(/^Master key {4}missing: put your copy of it at .*master.key/m);
    expect((await parlance('start')).error).toMatch(/master key file .* is gone/);
    cpSync(join(data, 'master.key'), join(elsewhere, 'master.key'));
    expect((await parlance('verify')).code).toBe(0);
    env['PARLANCE_DATA_DIR'] = data;
  });
  it('is not restored under another master key', async () => {
    env['PARLANCE_MASTER_KEY'] = Buffer.alloc(32, 1).toString('base64');
    expect((await parlance('restore', 'first', '--replace')).error).toMatch(/another master key/);
    delete env['PARLANCE_MASTER_KEY'];
  });
  it('continues from an older copy of a log after the loss is accepted, and other services receive the later events', async () => {
    cpSync(file('bots'), join(base, 'older'));
    await product.restart();
    for (const index of [1, 2, 3]) await makeBot(`Lost ${index}`);
    await waitFor(async () => (await audited()) >= 4, { what: 'the audit entries' });
    await product.stop();
    cpSync(join(base, 'older'), file('bots'));
    expect((await parlance('start')).error).toMatch(
      /^parlance: the data of bots .* end at commit 1, but reached commit 4 before: they are an older copy/,
    );
    expect(await parlance('accept-loss', 'bots')).toMatchObject({ code: 0, out: expect.stringMatching(/rebuilds the read models/) });
    await product.restart();
    await makeBot('After the loss');
    await product.stop();
    // This compares the rows of other services about bots with the current log.
    expect(await parlance('verify')).toMatchObject({ code: 0, error: '' });
  });
  it('continues without a log after its loss is accepted', async () => {
    rmSync(file('publication'));
    expect(await parlance('accept-loss', 'publication')).toMatchObject({ code: 0, out: expect.stringMatching(/^Accepted: /) });
    expect(await parlance('accept-loss', 'publication')).toMatchObject({ code: 1, error: expect.stringMatching(/nothing is wrong/) });
    await product.restart();
    expect((await ask(`/bot/${early}`)).status).toBe(200);
  });
});
