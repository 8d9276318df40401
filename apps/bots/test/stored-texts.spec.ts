import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { EventStore, newId } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { KeysOfUsers } from '@parlance/foundation/harness';
import { RequestContext } from '@parlance/observability';
import { type Sealed, SubjectKeys, Vault } from '@parlance/privacy';
import { openSqliteFile } from '@parlance/sqlite';
import { Instant } from '@parlance/decider';
import { waitFor } from '@parlance/testing';
import { ExecuteBot } from '../src/commands/aggregates.ts';
import { type BotEvent, botStream } from '../src/domain/bot.ts';
import { bots as botsService } from '../src/service.ts';
import { BotsUnderTest, idsOf } from './bots-under-test.ts';

/** Words that occur nowhere else. */
const WORDS = { title: 'Quixotrine', description: 'zephyrolith', instruction: 'bramblewick', starter: 'fandangular', later: 'Obsidianth' };

let bots: BotsUnderTest;
const keys = new KeysOfUsers();
beforeAll(async () => {
  bots = await BotsUnderTest.start();
  await keys.enter(bots.service.host);
});
afterAll(() => bots.stop());

const written = (userId: string) => {
  const { title, description, instruction, starter: example } = WORDS;
  return bots.create(userId, { title, description, instruction, conversation_quick_starters: [{ title: example, example }] });
};

/** The words that a file of the data directory contains, in either common encoding. */
async function wordsInFiles(): Promise<string[]> {
  const { dataDir } = bots.service.host.config;
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.some((file) => file.endsWith('bots.db'))).toBe(true);
  const found = new Set<string>();
  for (const file of files) {
    const content = await readFile(file);
    for (const word of Object.values(WORDS))
      for (const encoding of ['utf8', 'utf16le'] as const)
        if (content.includes(Buffer.from(word, encoding))) found.add(`${word} in ${file}`);
  }
  return [...found];
}

/** The titles in all events of a bot, decrypted; null for those whose key is destroyed. */
async function storedTitles(id: string): Promise<(string | null)[]> {
  const { commits } = await bots.app.get(EventStore).read(botStream(id));
  const events = commits.flatMap((commit) => commit.events.map(({ event }) => event as BotEvent));
  const titles = events.flatMap((event) => {
    if (event.type === 'BotCreated' || event.type === 'BotRestored') return [event.configuration.title];
    return event.type === 'BotConfigured' && event.changes.title ? [event.changes.title] : [];
  });
  return Promise.all(titles.map((title) => bots.app.get(Vault).open(title as Sealed)));
}
const hasKey = async (id: string) => (await bots.app.get(SubjectKeys).find(`bot:${id}`)) !== null;
const rename = (userId: string, id: string) => bots.ask('PATCH', `/bot/${id}`, bots.service.as(userId), { title: WORDS.later });
const remove = (userId: string, id: string) => bots.ask('DELETE', `/bot/${id}`, bots.service.as(userId));

describe('texts of a bot', () => {
  it('are in no file in plain text, before and after the bot is changed, published, searched, deleted and erased', async () => {
    const [ann, ben] = [newId(), newId()];
    const [one, other] = [await written(ann), await written(ben)];
    for (const [userId, { id }] of [
      [ann, one],
      [ben, other],
    ] as const) {
      await rename(userId, id);
      await bots.ask('POST', `/bot/${id}/restore`, bots.service.as(userId), { version: 1 });
      await bots.share(userId, id, 'all');
      expect(idsOf(await bots.get(`/store/search?query=${WORDS.description}`, bots.service.as(userId)))).toContain(id);
    }
    expect(await wordsInFiles()).toEqual([]);
    await remove(ann, one.id);
    await keys.erase(ben);
    await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: ben });
    expect(await wordsInFiles()).toEqual([]);
  });
  it('do not open after the bot is deleted, in any version', async () => {
    const ann = newId();
    const { id } = await written(ann);
    await rename(ann, id);
    expect([await storedTitles(id), await hasKey(id)]).toEqual([[WORDS.title, WORDS.later], true]);
    await remove(ann, id);
    expect([await storedTitles(id), await hasKey(id)]).toEqual([[null, null], false]);
  });
  it('do not open after the owner is erased', async () => {
    const ann = newId();
    const { id } = await written(ann);
    await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: ann });
    expect([await storedTitles(id), await hasKey(id)]).toEqual([[null], false]);
  });
  it('do not open when the key of the owner is destroyed, before the service knows of the erasure', async () => {
    const [ann, ben] = [newId(), newId()];
    const { id } = await written(ann);
    const other = await written(ben);
    for (const [userId, botId] of [
      [ann, id],
      [ben, other.id],
    ] as const)
      await bots.share(userId, botId, 'all');
    await keys.erase(ann);
    bots.app.get(Vault).forget(`user:${ann}`);
    bots.app.get(Vault).forget(`bot:${id}`);
    expect(await storedTitles(id)).toEqual([null]);
    expect((await bots.get(`/bot/${id}`, bots.service.as(ann))).body).toMatchObject({ status: 404, code: 'bot_not_found' });
    expect((await bots.get('/bot', bots.service.as(ann))).body.bots).toEqual([]);
    const query = { bot_ids: [id, other.id, newId()] };
    const shown = idsOf(await bots.ask('POST', '/internal/bots/shown', bots.service.asService('analytics'), query));
    expect(shown).toEqual([other.id]);
  });
  it('do not open after a crash between the deletion and the destruction of the key', async () => {
    const ann = newId();
    const { id } = await written(ann);
    // This only executes the command, which does not destroy the key.
    await bots.app.get(CommandBus).execute(new ExecuteBot(id, { type: 'Delete', by: { userId: ann, groups: [] } }));
    // The cache drops the key just after the database.
    await waitFor(async () => (await storedTitles(id))[0] === null, { what: 'the policy to destroy the key' });
    expect(await hasKey(id)).toBe(false);
  });
  it("do not open after the service receives the event of the bot's deletion", async () => {
    const ann = newId();
    const { id } = await written(ann);
    await bots.service.hear('parlance.bots.bot-deleted.v1', `bot-${id}`, { bot_id: id, owner_user_id: ann });
    await waitFor(async () => !(await hasKey(id)), { what: 'the policy to destroy the key' });
  });
});

describe('a bot of release 0.2, with texts in plain text', () => {
  const [id, gone, ann] = [newId(), newId(), newId()];
  const event = { type: 'BotCreated', ownerUserId: ann, title: 'Guide of old', description: '', instruction: 'Be brief.' };
  const deletion = { type: 'BotDeleted', ownerUserId: ann };
  let upgraded: BotsUnderTest;
  beforeAll(async () => {
    upgraded = await BotsUnderTest.start(
      {},
      {
        ...botsService,
        module: async (host) => {
          const file = await openSqliteFile(host.directory!.file('bots.db'));
          // Without upcasters, events are stored with schema 1.
          const store = await openSqliteEventStore(file);
          const metadata = RequestContext.metadata(Instant.ofSeconds(1_700_000_000));
          await store.append({ stream: botStream(id), expected: 0, events: [event], metadata });
          await store.append({ stream: botStream(gone), expected: 0, events: [event], metadata });
          await store.append({ stream: botStream(gone), expected: 1, events: [deletion], metadata });
          await store.close();
          await file.close();
          return botsService.module(host);
        },
      },
    );
  });
  afterAll(() => upgraded.stop());
  const asAnn = () => upgraded.creator(ann);

  it('is shown with its texts, default settings and time', async () => {
    const { body } = await upgraded.get(`/bot/private/${id}`, asAnn());
    const { body: fresh } = await upgraded.ask('POST', '/bot', asAnn(), { title: 'Guide of old', instruction: 'Be brief.' });
    expect(body).toEqual({ ...fresh, id, create_time: 1_700_000_000 });
  });
  it('is listed and found, and a deleted one is not', async () => {
    expect(idsOf(await upgraded.get('/bot', asAnn())).filter((each) => each === id || each === gone)).toEqual([id]);
    expect(idsOf(await upgraded.get('/store/search?query=old', asAnn()))).toContain(id);
    expect((await upgraded.get(`/bot/${gone}`, asAnn())).status).toBe(404);
  });
  it('is changed, shared, restored and deleted like any other', async () => {
    expect((await upgraded.ask('PATCH', `/bot/${id}`, asAnn(), { title: 'New' })).body).toMatchObject({ title: 'New', version: 2 });
    expect((await upgraded.ask('POST', `/bot/${id}/restore`, asAnn(), { version: 1 })).body).toMatchObject({ title: 'Guide of old' });
    const { commits } = await upgraded.app.get(EventStore).read(botStream(id), 2, 1, 1);
    expect(JSON.stringify(commits)).toContain('BotRestored');
    expect(JSON.stringify(commits)).not.toMatch(/Guide of old|Be brief/);
    await upgraded.share(ann, id, 'all');
    expect(idsOf(await upgraded.get('/bot?kind=shared', upgraded.service.as('ben')))).toEqual([id]);
    expect((await upgraded.ask('DELETE', `/bot/${id}`, asAnn())).status).toBe(204);
    expect(idsOf(await upgraded.get('/bot?kind=shared', upgraded.service.as('ben')))).toEqual([]);
  });
});
