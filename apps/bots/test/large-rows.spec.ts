import { afterAll, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import request from 'supertest';
import { type Answer, BotsUnderTest, idsOf } from './bots-under-test.ts';

/** With the longest lists, 450 bots exceed the 4 MiB limit of one read of rows. */
const BOTS = 450;
const users = Array.from({ length: 200 }, () => newId());
const lists = { target_allowed_user_ids: users, target_editor_user_ids: users };

const ann = () => bots.creator('ann');

const bots = await BotsUnderTest.start();
const server = bots.service.server;
for (let made = 0; made < BOTS; made += 30)
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const { body } = await request(server).post('/bot').set(ann()).send({ title: 'Ferry' });
      await request(server)
        .patch(`/bot/${body.id}/visibility`)
        .set(ann())
        .send({ target_shared_scope: 'all', ...lists });
    }),
  );
afterAll(() => bots.service.stop());

it.each(['/bot?limit=1000', '/store/search?query=ferry&limit=1000', '/store/pickup?limit=1000'])(
  'shows all bots with the longest lists in one page: %s',
  async (path) => {
    const { body } = await request(bots.service.server).get(path).set(ann());
    expect(new Set(idsOf({ body } as Answer)).size).toBe(BOTS);
    expect(body.next_token).toBeNull();
  },
);
