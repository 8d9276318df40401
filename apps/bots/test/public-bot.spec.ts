import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventStore } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

describe('a public bot, as administrators see it', () => {
  let bots: BotsUnderTest;
  beforeAll(async () => {
    bots = await BotsUnderTest.start();
  });
  afterAll(() => bots.stop());

  it('is read at or after the position it reports, even if an event is recorded during the read', async () => {
    const admin = bots.service.as('root', 'Admin');
    const { id } = await bots.create('ann');
    await bots.share('ann', id, 'all');
    const store = bots.app.get(EventStore);
    const head = store.head.bind(store);
    let pinned = 0;
    const looked = jest.spyOn(store, 'head').mockImplementationOnce(async () => {
      await bots.ask('PATCH', `/admin/bot/${id}/pushed`, admin, { to_pinned: true, order: 1 });
      return (pinned = await head());
    });
    const { body } = await bots.get(`/admin/bot/public/${id}`, admin);
    looked.mockRestore();
    expect([body.as_of.position, body.status]).toEqual([pinned, 'pinned@001']);
  });
});
