import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ROWS_AT_ONCE, StoreIndex } from '../src/projections/store-index.ts';
import { BotsUnderTest } from './bots-under-test.ts';

describe('the index of the store', () => {
  let bots: BotsUnderTest;
  const ann = () => bots.creator('ann');
  const create = async (title: string) => (await request(bots.service.server).post('/bot').set(ann()).send({ title })).body.id as string;
  const found = async (query: string) =>
    (await request(bots.service.server).get('/store/search').query({ query }).set(ann())).body.bots.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
  });
  afterAll(() => bots.service.stop());

  it('forgets deleted bots, also those that no search comes across', async () => {
    const index = bots.app.get(StoreIndex);
    const [kept, deleted] = [await create('Kept bridge'), await create('Deleted bridge')];
    expect(await found('bridge')).toEqual([deleted, kept]);
    await request(bots.service.server).delete(`/bot/${deleted}`).set(ann());
    expect(index.size).toBe(2);
    await index.removeDeleted();
    expect(index.size).toBe(1);
    expect(await found('bridge')).toEqual([kept]);
  });
  it('has the newest bot when more bots were changed than one step reads', async () => {
    await Promise.all(Array.from({ length: ROWS_AT_ONCE }, () => create('Crowd')));
    const newest = await create('Newest bell');
    expect(await found('bell')).toEqual([newest]);
  });
  it('warns of a language that it cannot analyse, and compares words as they are', async () => {
    const other = await BotsUnderTest.start({ PARLANCE_BOT_STORE_LANGUAGE: 'cy' });
    await request(other.service.server).post('/bot').set(other.creator('ann')).send({ title: 'Canllaw teithio' });
    const answer = await request(other.service.server).get('/store/search').query({ query: 'teithio' }).set(other.creator('ann'));
    await other.service.stop();
    expect(answer.body.bots).toHaveLength(1);
  });
});
