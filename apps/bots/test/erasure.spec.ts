import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BotDeleted } from '@parlance/contracts';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { bots } from '../src/service.ts';

describe('when a user is erased', () => {
  let service: ServiceUnderTest;
  const deleted: unknown[] = [];
  const as = (userId: string) => service.as(userId, 'CreatingBotAllowed');
  const create = async (userId: string) => (await request(service.server).post('/bot').set(as(userId)).send({ title: 'Guide' })).body.id;
  const find = async (userId: string, id: string) => (await request(service.server).get(`/bot/${id}`).set(as(userId))).status;
  const erase = async (userId: string) =>
    (await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: userId })).body;

  beforeAll(async () => {
    service = await serviceUnderTest(bots);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.bots'],
      handle: async (deliveries) => {
        for (const { event } of deliveries) if (event.type === BotDeleted.type) deleted.push((event.data as BotDeleted).bot_id);
      },
    });
  });
  afterAll(() => service.stop());

  it('their bots are deleted, and no others', async () => {
    const [one, other, bens] = [await create('ann'), await create('ann'), await create('ben')];
    expect(await erase('ann')).toEqual({ service: 'bots', removed: { bots: 2 } });
    expect([await find('ann', one), await find('ann', other), await find('ben', bens)]).toEqual([404, 404, 200]);
    await waitFor(() => deleted.length === 2, { what: 'the deletions to be said' });
    expect(deleted.toSorted()).toEqual([one, other].toSorted());
  });
  it('the receipt stays the same, however often it is asked for', async () => {
    expect(await erase('ann')).toEqual({ service: 'bots', removed: { bots: 2 } });
    expect(await erase('cat')).toEqual({ service: 'bots', removed: { bots: 0 } });
  });
  it('the event alone is enough', async () => {
    const id = await create('dan');
    await service.hear('parlance.identity.user-erased.v1', 'user-dan', { user_id: 'dan' });
    await waitFor(async () => (await find('dan', id)) === 404, { what: 'the bot to go' });
    expect(await erase('dan')).toEqual({ service: 'bots', removed: { bots: 1 } });
  });
  it('it is a service that says so, and no client', async () => {
    const answer = await request(service.server).post('/internal/erasures').set(service.as('root', 'Admin')).send({ user_id: 'ben' });
    expect(answer.status).toBe(404);
  });
});
