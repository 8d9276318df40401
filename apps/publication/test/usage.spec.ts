import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KEPT_DAYS } from '../src/projections/api-usage.ts';
import { PublicationUnderTest } from './publication-under-test.ts';

const HOUR = 3_600;
const now = Math.floor(Date.now() / 1_000);
const hour = now - (now % HOUR);

describe('the usage of a published bot', () => {
  let under: PublicationUnderTest;
  beforeAll(async () => {
    under = await PublicationUnderTest.start();
  });
  afterAll(() => under.stop());

  const published = async (terms: object = {}) => {
    const botId = await under.publishedBot(terms);
    const apiId = (await under.ask('GET', `/bot/${botId}/publication`, under.owner())).body.codebuild_id.toLowerCase() as string;
    let number = 0;
    const report = (keyId: string, time: number, counts: object, more: object = {}) =>
      under.ask('POST', '/internal/api-usage', under.service.asService('edge'), {
        holder: 'e1',
        reports: [
          {
            key_id: keyId,
            api_id: apiId,
            number: ++number,
            time,
            counts: { '2xx': 0, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0, ...counts },
            ...more,
          },
        ],
      });
    const usage = async (query = '', headers = under.owner()) => under.ask('GET', `/bot/${botId}/publication/usage${query}`, headers);
    const key = async () => (await under.createKey(botId)).body.id as string;
    return { botId, apiId, report, usage, key };
  };
  const window = (from: number, to: number) => `?start_time=${from}&end_time=${to}`;

  it('is added up by key, status, hour and day', async () => {
    const { report, usage, key } = await published();
    const [one, other] = [await key(), await key()];
    await report(one, hour + 5, { '2xx': 7, '4xx': 1, '429': 3 });
    await report(one, hour + 6, { '5xx': 1 });
    await report(other, hour - HOUR, { '2xx': 2 });
    const { status, body } = await usage(window(hour - HOUR, now));
    expect([status, body]).toEqual([
      200,
      {
        start_time: hour - HOUR,
        end_time: hour + HOUR,
        request_count: 11,
        by_status: { '2xx': 9, '3xx': 0, '4xx': 1, '429': 3, '5xx': 1 },
        by_key: [
          { api_key_id: one, request_count: 9, by_status: expect.objectContaining({ '2xx': 7, '429': 3 }), quota: null },
          { api_key_id: other, request_count: 2, by_status: expect.objectContaining({ '2xx': 2 }), quota: null },
        ],
        hourly: [
          { hour: hour - HOUR, request_count: 2, by_status: expect.anything() },
          { hour, request_count: 9, by_status: expect.anything() },
        ],
        daily: expect.any(Array),
      },
    ]);
    expect(body.daily.reduce((sum: number, day: { request_count: number }) => sum + day.request_count, 0)).toBe(11);
    expect((await usage(window(hour - HOUR, hour - 1))).body).toMatchObject({ request_count: 2 });
    expect((await usage('?period=2020-01')).body).toMatchObject({ request_count: 0, daily: [] });
  });
  it('is recorded for many keys in one call, and for each key in the order of its reports', async () => {
    const { apiId, usage } = await published();
    const keys = Array.from({ length: 100 }, () => newId());
    const counts = { '2xx': 1, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 };
    const reports = Array.from({ length: 500 }, (_, index) => ({
      key_id: keys[index % keys.length],
      api_id: apiId,
      number: index + 1,
      time: hour,
      counts,
    }));
    const send = () => under.ask('POST', '/internal/api-usage', under.service.asService('edge'), { holder: 'e2', reports });
    for (let times = 0; times < 2; times++) expect((await send()).status).toBe(204);
    const { body } = await usage(window(hour, now));
    expect([body.request_count, new Set(body.by_key.map((key: { request_count: number }) => key.request_count))]).toEqual([
      500,
      new Set([5]),
    ]);
  });
  it('does not count a repeated report', async () => {
    const { report, usage, key } = await published();
    const keyId = await key();
    await report(keyId, now, { '2xx': 4 });
    await report(keyId, now, { '2xx': 4 }, { number: 1 });
    expect((await usage()).body).toMatchObject({ request_count: 4 });
  });
  it('counts requests of an edge whose clock is ahead as current requests', async () => {
    const { report, usage, key } = await published();
    await report(await key(), now + 24 * HOUR, { '2xx': 4 });
    expect((await usage(window(hour, now + 2 * HOUR))).body).toMatchObject({ request_count: 4 });
  });
  it('keeps the requests of this hour when a report arrives about an hour that is no longer kept', async () => {
    const { report, usage, key } = await published();
    const keyId = await key();
    await report(keyId, now, { '2xx': 4 });
    await report(keyId, now - KEPT_DAYS * 24 * HOUR, { '2xx': 1 });
    expect((await usage(window(hour, now))).body).toMatchObject({ request_count: 4 });
  });
  it('is not recorded for a removed API', async () => {
    const { report, usage, key } = await published();
    expect((await report(await key(), now, { '2xx': 4 }, { api_id: 'gone' })).status).toBe(204);
    expect((await usage()).body).toMatchObject({ request_count: 0 });
  });
  it('includes the requests of revoked keys, and starts from zero when the bot is published again', async () => {
    const { botId, report, usage, key } = await published();
    const keyId = await key();
    await report(keyId, now, { '2xx': 4 });
    await under.ask('DELETE', `/bot/${botId}/publication/api-key/${keyId}`, under.owner());
    expect((await usage()).body.by_key).toMatchObject([{ api_key_id: keyId, request_count: 4, quota: null }]);
    await under.ask('DELETE', `/bot/${botId}/publication`, under.owner());
    await under.publish(botId);
    await under.settled(botId);
    expect((await usage()).body).toMatchObject({ request_count: 0, by_key: [] });
  });
  it('includes the quota of each key', async () => {
    const { botId, apiId, usage, key } = await published({ quota: { limit: 100, period: 'MONTH', offset: 40 } });
    const keyId = await key();
    const borrow = (used: number, returned: number, isFirst: boolean) =>
      under.ask('POST', `/internal/api-limits/${keyId}`, under.service.asService('edge'), {
        bot_id: botId,
        api_id: apiId,
        quota: { holder: 'e1', is_first: isFirst, is_last: !isFirst, requests: { used, returned, needed: isFirst ? 9 : 0, wanted: 9 } },
      });
    await borrow(0, 0, true);
    await borrow(5, 4, false);
    expect((await usage()).body.by_key).toMatchObject([{ quota: { limit: 60, used: 5, resets_at: expect.any(Number) } }]);
  });
  it('is visible only to the owner and administrators', async () => {
    const { usage } = await published();
    expect((await usage('', under.service.as('root', 'Admin'))).status).toBe(200);
    expect((await usage('', under.service.as('bob', 'PublishAllowed'))).body).toMatchObject({ code: 'bot_not_found' });
  });
  it.each([
    '?start_time=5',
    '?end_time=5',
    '?start_time=9&end_time=5',
    '?period=2026-13',
    `?start_time=0&end_time=${94 * 24 * HOUR}`,
    '?period=2026-01&start_time=1&end_time=2',
  ])('refuses %s', async (query) => {
    const { usage } = await published();
    expect((await usage(query)).status).toBe(400);
  });
});
