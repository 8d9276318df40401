import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { PublicationUnderTest } from './publication-under-test.ts';

const nothing = { used: 0, returned: 0, needed: 0, wanted: 0 };
const one = { ...nothing, needed: 1, wanted: 1 };

describe('the limits of API keys, as edges borrow them', () => {
  let under: PublicationUnderTest;
  beforeAll(async () => {
    under = await PublicationUnderTest.start();
  });
  afterAll(() => under.stop());

  const keyOf = async (terms: object) => {
    const botId = await under.publishedBot(terms);
    const { codebuild_id } = (await under.ask('GET', `/bot/${botId}/publication`, under.owner())).body;
    const keyId = (await under.createKey(botId)).body.id as string;
    const deployment = { bot_id: botId, api_id: codebuild_id.toLowerCase() as string };
    const ask = async (body: object) => {
      const answer = await under.ask('POST', `/internal/api-limits/${keyId}`, under.service.asService('edge'), { ...deployment, ...body });
      return { status: answer.status, ...answer.body };
    };
    const throttle = (holder: string, tokens: object = one, more: object = {}) =>
      ask({ throttle: { holder, is_first: true, is_last: false, tokens, places: one, ...more } });
    const quota = (holder: string, requests: object = one, more: object = {}) =>
      ask({ quota: { holder, is_first: true, is_last: false, requests, ...more } });
    return { botId, keyId, place: deployment, throttle, quota, ask };
  };

  it('lend tokens and concurrent requests under the terms of the publication', async () => {
    const { throttle } = await keyOf({ throttle: { rate_limit: 0.001, burst_limit: 2 } });
    expect((await throttle('a')).throttle).toMatchObject({
      is_known: true,
      tokens: 1,
      places: 1,
      terms: { rate_limit: 0.001, burst_limit: 2 },
    });
    expect((await throttle('b')).throttle).toMatchObject({ tokens: 1, places: 1 });
    expect((await throttle('c')).throttle).toMatchObject({ tokens: 0, places: 0, empty_millis: expect.any(Number) });
  });
  it('lend the quota of each key up to the last request, and lend returned requests again', async () => {
    const { quota } = await keyOf({ quota: { limit: 10, period: 'DAY' } });
    expect((await quota('a', { ...nothing, needed: 6, wanted: 6 })).quota).toMatchObject({
      is_known: true,
      granted: 6,
      limit: 10,
      left: 4,
    });
    expect((await quota('b', { ...nothing, needed: 6, wanted: 6 })).quota).toMatchObject({ granted: 4, left: 0, elsewhere: 6 });
    await quota('a', { ...nothing, used: 2, returned: 4 }, { is_first: false, is_last: true });
    expect((await quota('b', { ...one, used: 4, needed: 4 }, { is_first: false })).quota).toMatchObject({ granted: 8, elsewhere: 0 });
  });
  it('are both answered in one call', async () => {
    const { ask } = await keyOf({ quota: { limit: 10, period: 'MONTH' } });
    const facts = { holder: 'a', is_first: true, is_last: false };
    const both = await ask({ throttle: { ...facts, tokens: one, places: one }, quota: { ...facts, requests: nothing } });
    expect(both).toMatchObject({ status: 200, throttle: { tokens: 1 }, quota: { granted: 0, left: 10, limit: 10 } });
  });
  it('subtract the offset in the first period, and report when the next one begins', async () => {
    const { quota } = await keyOf({ quota: { limit: 10, period: 'DAY', offset: 7 } });
    const midnight = new Date().setUTCHours(24, 0, 0, 0) / 1_000;
    expect((await quota('a', nothing)).quota).toMatchObject({ limit: 3, left: 3, resets_at: midnight, terms: { limit: 10, offset: 7 } });
  });
  it('follow changed terms after the change, and keep counting what was used', async () => {
    const { botId, quota } = await keyOf({ quota: { limit: 10, period: 'DAY' } });
    await quota('a', { ...nothing, needed: 5, wanted: 5 });
    await under.ask('PATCH', `/bot/${botId}/publication`, under.owner(), { quota: { limit: 6, period: 'DAY' } });
    expect((await quota('b', { ...nothing, needed: 5, wanted: 5 })).quota).toMatchObject({ granted: 1, left: 0, terms: { limit: 6 } });
    await under.ask('PATCH', `/bot/${botId}/publication`, under.owner(), { quota: null });
    expect((await quota('b')).quota).toBeNull();
  });
  it('include a separate quota for each key', async () => {
    const { botId, place: deployment, quota } = await keyOf({ quota: { limit: 1, period: 'DAY' } });
    await quota('a');
    const other = (await under.createKey(botId)).body.id as string;
    const body = { ...deployment, quota: { holder: 'a', is_first: true, is_last: false, requests: one } };
    const answer = await under.ask('POST', `/internal/api-limits/${other}`, under.service.asService('edge'), body);
    expect(answer.body.quota).toMatchObject({ granted: 1 });
  });
  it('lend nothing for a removed publication, or at another address', async () => {
    const { botId, ask, throttle, keyId } = await keyOf({});
    const facts = { holder: 'a', is_first: true, is_last: false };
    const elsewhere = { api_id: newId().toLowerCase(), quota: { ...facts, requests: one } };
    expect(await ask(elsewhere)).toMatchObject({ status: 404, code: 'not_published' });
    await under.ask('DELETE', `/bot/${botId}/publication`, under.owner());
    expect(await throttle('a')).toMatchObject({ status: 404, code: 'not_published' });
    expect((await under.ask('POST', `/internal/api-limits/${keyId}`, under.owner(), {})).body.code).toBe('no_such_route');
  });
});
