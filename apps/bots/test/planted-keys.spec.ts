import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { RequestContext } from '@parlance/observability';
import { type Subject, SubjectKeys } from '@parlance/privacy';
import { openSqliteFile } from '@parlance/sqlite';
import { botStream } from '../src/domain/bot.ts';
import { bots as botsService } from '../src/service.ts';
import { BotsUnderTest } from './bots-under-test.ts';

describe('the key of a bot of release 0.2, with a store that saves keys before the append (MongoDB)', () => {
  const [id, ann, ben] = [newId(), newId(), newId()];
  const event = { type: 'BotCreated', ownerUserId: ann, title: 'Guide of old', description: '', instruction: 'Be brief.' };
  let bots: BotsUnderTest;
  beforeAll(async () => {
    bots = await BotsUnderTest.start(
      {},
      {
        ...botsService,
        module: async (host) => {
          const file = await openSqliteFile(host.directory!.file('bots.db'));
          // Without upcasters, events are stored with schema 1.
          const store = await openSqliteEventStore(file);
          await store.append({
            stream: botStream(id),
            expected: 0,
            events: [event],
            metadata: RequestContext.metadata(Instant.ofSeconds(1)),
          });
          await store.close();
          await file.close();
          return botsService.module(host);
        },
      },
    );
    const keys = bots.app.get(SubjectKeys);
    keys.prepare = async (subject: Subject) => ({ key: await keys.obtain(subject), companions: [] });
  });
  afterAll(() => bots.stop());

  it('is not stored when another user requests the ID of the bot', async () => {
    const taken = await bots.ask('POST', '/bot', bots.creator(ben), { id, title: 'Mine' });
    expect(taken.body).toMatchObject({ status: 409, code: 'bot_id_taken' });
    expect(await bots.app.get(SubjectKeys).find(`bot:${id}`)).toBeNull();
    expect((await bots.ask('PATCH', `/bot/${id}`, bots.creator(ann), { title: 'New' })).status).toBe(200);
  });
});
