import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { SqlEngine } from '../src/adapters/exports/engine.ts';
import { ExportFiles } from '../src/adapters/exports/export-files.ts';
import { hourAt } from '../src/domain/export-period.ts';
import { analytics } from '../src/service.ts';
import { ExportedConversations, exportsOf } from './exported-conversations.ts';

const HOUR = 3_600_000;
const at = Date.now() - 5 * HOUR;
const hour = hourAt(Instant.ofMillis(at));

const events = () => {
  const db = new DatabaseSync(service.host.directory!.file('analytics.db'), { timeout: 5_000 });
  const rows = db.prepare('SELECT events FROM commits WHERE stream = ? ORDER BY version').all(`export-${hour}`);
  db.close();
  return rows.flatMap((row) => (JSON.parse(String(row['events'])) as { event: { type: string } }[]).map(({ event }) => event.type));
};

const service = await serviceUnderTest(analytics);
await new KeysOfUsers().enter(service.host);
const conversations = new ExportedConversations(service);
await conversations.enter();
afterAll(() => service.stop());

let isDown = true;

it('an export that fails releases its claim, waits, and is written when inference answers', async () => {
  conversations.before = async () => {
    if (isDown) throw new Error('down');
  };
  for (const user of ['ann', 'ben']) await conversations.talk(newId(), user, at, 'Why?');
  await waitFor(() => events().length === 2, { what: 'a failed try' });
  expect(events()).toEqual(['ExportClaimed', 'ExportReleased']);
  expect((await exportsOf(service).get(hour)).body).toMatchObject({ status: 'writing', key: null, url: null });
  isDown = false;
  service.later(60_000);
  await waitFor(async () => (await exportsOf(service).get(hour)).body.status === 'written', { what: 'the export' });
  expect(events()).toEqual(['ExportClaimed', 'ExportReleased', 'ExportClaimed', 'ExportWritten']);
});
it('has an address that ends', async () => {
  const { body } = await exportsOf(service).get(hour);
  expect(body.url).toMatch(/^http/);
  expect(body.expires_at).toBeGreaterThan(Date.now() / 1_000);
});
it('a file that cannot be rewritten without erased content is removed before the receipt, and written later', async () => {
  isDown = true;
  const { key } = (await exportsOf(service).get(hour)).body;
  const store = await service.host.objects.store();
  expect(await store.stat(key)).not.toBeNull();
  const { asked } = conversations;
  const erasing = request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'ann' }).then();
  await waitFor(() => conversations.asked > asked, { what: 'a failed try' });
  service.later(10_000);
  const erased = await erasing;
  expect(erased.body.removed).toMatchObject({ exported_conversations: 1 });
  expect(await store.stat(key)).toBeNull();
  expect(await exportsOf(service).rows('SELECT count(*) FROM parlance_conversations')).toEqual([[0]]);
  isDown = false;
  service.later(60_000);
  await waitFor(async () => (await exportsOf(service).get(hour)).body.status === 'written', { what: 'the new file' });
  expect(await exportsOf(service).rows("SELECT PK, MessageMap = '{}' FROM parlance_conversations ORDER BY PK")).toEqual([
    ['ann', true],
    ['ben', false],
  ]);
});
it('a file with content that was erased while it was written replaces no other', async () => {
  const [{ write }, { put }] = [SqlEngine.prototype, ExportFiles.prototype];
  const conversation = newId();
  const before = events().length;
  let stored = 0;
  SqlEngine.prototype.write = async function (order) {
    const rows = await write.call(this, order);
    if (order.type !== 'write' || events().slice(before).includes('ExportOutdated')) return rows;
    await conversations.delete(conversation, 'ben');
    await waitFor(async () => (await exportsOf(service).get(hour)).body.status === 'outdated', { what: 'the end of the claim' });
    return rows;
  };
  ExportFiles.prototype.put = function (period, file) {
    if (period === hour) stored++;
    return put.call(this, period, file);
  };
  try {
    await conversations.talk(conversation, 'ben', at, 'Who?');
    service.later(2 * HOUR);
    const expected = ['ExportClaimed', 'ExportOutdated', 'ExportClaimed', 'ExportWritten'];
    await waitFor(() => events().length >= before + expected.length, { what: 'the file' });
    expect(events().slice(before)).toEqual(expected);
    expect(stored).toBe(1);
  } finally {
    [SqlEngine.prototype.write, ExportFiles.prototype.put] = [write, put];
  }
});
