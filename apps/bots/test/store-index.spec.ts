import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { OpenedTexts } from '../src/projections/opened-texts.ts';
import { ROWS_AT_ONCE, StoreIndex } from '../src/projections/store-index.ts';
import { BotsUnderTest } from './bots-under-test.ts';

describe('the index of the store', () => {
  let bots: BotsUnderTest;
  const ann = () => bots.creator('ann');
  const create = async (title: string) => (await request(bots.service.server).post('/bot').set(ann()).send({ title })).body.id as string;
  const found = async (query: string) =>
    (await request(bots.service.server).get('/store/search').query({ query }).set(ann())).body.results.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
  });
  afterAll(() => bots.service.stop());

  it('forgets deleted bots, even those that no search encounters', async () => {
    const index = bots.app.get(StoreIndex);
    const [kept, deleted] = [await create('Kept bridge'), await create('Deleted bridge')];
    expect(await found('bridge')).toEqual([deleted, kept]);
    await request(bots.service.server).delete(`/bot/${deleted}`).set(ann());
    expect(index.size).toBe(2);
    await index.removeDeleted();
    expect(index.size).toBe(1);
    expect(await found('bridge')).toEqual([kept]);
  });
  it('contains the newest bot when more bots were changed than one step reads', async () => {
    await Promise.all(Array.from({ length: ROWS_AT_ONCE }, () => create('Crowd')));
    const newest = await create('Newest bell');
    expect(await found('bell')).toEqual([newest]);
  });
  it('contains a bot that was created while an earlier search updated the index', async () => {
    const search = () => bots.app.get(StoreIndex).search({ userId: 'ann', groups: [] }, 'lamp', 10, null);
    const texts = bots.app.get(OpenedTexts);
    const held = Promise.withResolvers<void>();
    const isReached = Promise.withResolvers<void>();
    const open = texts.openNow.bind(texts);
    const opening = jest.spyOn(texts, 'openNow').mockImplementation(async (text) => {
      // Answers call this method only for empty texts.
      if (text === null) return '';
      isReached.resolve();
      await held.promise;
      return open(text);
    });
    const first = await create('Lamp');
    const earlier = search();
    await isReached.promise;
    const second = await create('Lamp');
    const later = search();
    held.resolve();
    expect([(await earlier).ids.includes(first), (await later).ids]).toEqual([true, [second, first]]);
    opening.mockRestore();
  });
  it.each([
    ['cy', 1],
    ['de', 0],
  ])('warns of a language that it cannot analyse: %s, %d warnings', (botStoreLanguage, warnings) => {
    const log = { warn: jest.fn() };
    new StoreIndex({} as never, {} as never, { botStoreLanguage } as never, log as never);
    expect(log.warn).toHaveBeenCalledTimes(warnings);
  });
  it('compares words literally in a language that it cannot analyse', async () => {
    const other = await BotsUnderTest.start({ PARLANCE_BOT_STORE_LANGUAGE: 'cy' });
    await request(other.service.server).post('/bot').set(other.creator('ann')).send({ title: 'Canllaw teithio' });
    const answer = await request(other.service.server).get('/store/search').query({ query: 'teithio' }).set(other.creator('ann'));
    await other.service.stop();
    expect(answer.body.results).toHaveLength(1);
  });
});
