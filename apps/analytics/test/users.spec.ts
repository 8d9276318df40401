import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { Clock } from '@parlance/foundation';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { KeptLists, KEPT_MILLIS } from '../src/workflows/kept-lists.ts';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';

const HOUR = 3_600_000;
const compact = (time: number) => new Date(time).toISOString().replaceAll(/[-T:]/g, '').slice(0, 10);
const now = Date.now();
const thisHour = `start=${compact(now)}&end=${compact(now + HOUR)}`;
/** In case the hour turns during the test: the next hour is in the window too. */
const earlier = `start=${compact(now - 5 * HOUR)}&end=${compact(now - 2 * HOUR)}`;

describe('the users with their usage', () => {
  let service: ServiceUnderTest;
  let events = 0;
  const ask = async (query = '', accept = 'application/json') =>
    request(service.server).get(`/admin/users${query}`).set(service.as('root', 'Admin')).set('accept', accept);
  const list = async (query = '') => (await ask(query)).body.users as { user_id: string }[];
  const ids = async (query = '') => (await list(query)).map(({ user_id }) => user_id);
  const charge = (conversation: string, user_id: string, cost_nano_dollars: number) =>
    service.hear(
      'parlance.inference.reply-completed.v1',
      `conversation-${conversation}`,
      {
        conversation_id: conversation,
        reply_id: `r${events}`,
        user_id,
        bot_id: null,
        model: 'large',
        usage: { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
        cost_nano_dollars,
      },
      `e${++events}`,
    );
  const total = () => waitFor(async () => (await tokens()) === events * 10, { what: `${events} charges` });
  const tokens = async () => {
    const { body } = await request(service.server).get('/admin/costs/summary').set(service.as('root', 'Admin'));
    return body.total_input_tokens as number;
  };

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await enterPeople(service.host, [
      person('ann', { groups: ['Sales', 'Admin'], create_time: 3, last_sign_in_time: 50, first_name: '=Ann' }),
      person('ben', { enabled: false, create_time: 1, last_sign_in_time: 70 }),
      person('cid', { create_time: 2 }),
      person('eve', { groups: ['Sales'] }),
    ]);
  });
  afterAll(() => service.stop());

  it('are empty at first, and complete with include_all', async () => {
    expect((await ask()).body).toEqual({ as_of: null, users: [], next_token: null });
    expect(await ids('?include_all=true')).toEqual(['ann', 'ben', 'cid', 'eve']);
  });
  it('have their charges, highest cost first', async () => {
    await charge('a1', 'ann', 5);
    await charge('a1', 'ann', 6);
    await charge('a2', 'ann', 7);
    await charge('b1', 'ben', 100);
    await charge('c1', 'cid', 1);
    // This user is erased, so identity does not know the user.
    await charge('g1', 'gone', 1);
    await total();
    const { body } = await ask();
    expect(body.as_of).toEqual({ position: expect.any(Number), time: expect.any(String) });
    expect(body.users.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['ben', 'ann', 'cid', 'gone']);
    expect(body.users[1]).toEqual({
      user_id: 'ann',
      email: 'ann@example.org',
      first_name: '=Ann',
      last_name: 'Example',
      last_sign_in_time: 50,
      total_price: 18e-9,
      as_corrected: 18e-9,
      input_tokens: 30,
      output_tokens: 15,
      conversation_count: 2,
      groups: ['Sales', 'Admin'],
      enabled: true,
    });
    expect(body.users[3]).toMatchObject({ email: null, first_name: null, enabled: false, groups: [], total_price: 1e-9 });
  });
  it('have the same figures in a window of hours, and none in another', async () => {
    expect(await list(`?${thisHour}`)).toEqual(await list());
    expect(await ids(`?${earlier}`)).toEqual([]);
    expect(await ids(`?${earlier}&include_all=true`)).toEqual(['ann', 'ben', 'cid', 'eve']);
  });
  it.each([
    ['sort=total_price&order=asc', ['cid', 'gone', 'ann', 'ben']],
    ['sort=conversation_count', ['ann', 'ben', 'cid', 'gone']],
    [`sort=conversation_count&${thisHour}`, ['ann', 'ben', 'cid', 'gone']],
    ['sort=conversation_count&order=asc', ['ben', 'cid', 'gone', 'ann']],
    [`sort=conversation_count&order=asc&${thisHour}`, ['ben', 'cid', 'gone', 'ann']],
    ['sort=email', ['ann', 'ben', 'cid', 'gone']],
    ['sort=email&order=desc', ['cid', 'ben', 'ann', 'gone']],
    ['sort=create_time', ['ann', 'cid', 'ben', 'gone']],
    ['sort=last_sign_in_time', ['ben', 'ann', 'cid', 'gone']],
    ['prefix=be', ['ben']],
    ['group=Sales', ['ann']],
    ['group=Sales&include_all=true', ['ann', 'eve']],
    ['enabled=false', ['ben']],
  ])('are sorted and filtered by %s', async (query, expected) => expect(await ids(`?${query}`)).toEqual(expected));

  it('are in pages that neither skip nor repeat a user while their costs change', async () => {
    const first = await ask('?limit=2');
    expect(first.body.users.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['ben', 'ann']);
    await charge('g1', 'gone', 1_000);
    await charge('e1', 'eve', 500);
    await total();
    const second = await ask(`?limit=2&next_token=${first.body.next_token}`);
    expect(second.body.users).toMatchObject([{ user_id: 'cid' }, { user_id: 'gone', total_price: 1_001e-9 }]);
    expect(second.body.next_token).toBeNull();
    expect(await ids()).toEqual(['gone', 'eve', 'ben', 'ann', 'cid']);
  });
  it('refuse a token of another query, and a token whose list is no longer kept', async () => {
    const { next_token } = (await ask('?limit=2')).body;
    expect((await ask(`?limit=2&sort=email&next_token=${next_token}`)).body.code).toBe('invalid_next_token');
    const later = { now: () => Date.now() + KEPT_MILLIS + 60_000 } as unknown as Clock;
    await new KeptLists(await service.host.objects.store(), later).removeOld();
    expect((await ask(`?limit=2&next_token=${next_token}`)).body).toMatchObject({ status: 400, code: 'invalid_next_token' });
  });
  it('are available as CSV, with cells that no spreadsheet executes', async () => {
    const answer = await ask('?group=Sales', 'text/csv');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.text.split('\r\n')).toEqual([
      'user_id,email,first_name,last_name,last_sign_in_time,total_price,input_tokens,output_tokens,conversation_count,groups,enabled,as_corrected',
      'eve,eve@example.org,eve,Example,,0.0000005,10,5,1,Sales,true,0.0000005',
      "ann,ann@example.org,'=Ann,Example,50,0.000000018,30,15,2,Sales Admin,true,0.000000018",
      '',
    ]);
  });
  it.each([
    ['start=2026110100', 'end'],
    ['end=2026110100', 'start'],
    ['start=2026110101&end=2026110100', 'end'],
    ['start=2024023000&end=2024030100', 'start'],
    ['start=2025010100&end=2026020100', 'end'],
    ['start=2020010100&end=2020010200', 'start'],
    ['start=2026110124&end=2026110200', 'start'],
    ['limit=1001', 'limit'],
    ['sort=cost', 'sort'],
  ])('refuse %s', async (query, path) => expect((await ask(`?${query}`)).body).toMatchObject({ status: 400, errors: [{ path }] }));
  it('are for administrators only, and their reads are recorded', async () => {
    expect((await request(service.server).get('/admin/users').set(service.as('ann', 'PublishAllowed'))).status).toBe(403);
    const viewed = async () =>
      (await request(service.server).get('/admin/audit-logs?action_type=view_users&success=true').set(service.as('root', 'Admin'))).body
        .audit_logs.length as number;
    const before = await viewed();
    await ask();
    await waitFor(async () => (await viewed()) > before, { what: 'the entry of the read' });
  });
  it('for whole days include a charge that arrives after the days were listed', async () => {
    const [yesterday, tomorrow] = [compact(now - 24 * HOUR), compact(now + 24 * HOUR)].map((hour) => hour.slice(0, 8));
    const days = `?start=${yesterday}00&end=${tomorrow}23`;
    expect((await ids(days))[0]).not.toBe('cid');
    await charge('c1', 'cid', 5_000);
    await total();
    expect((await ids(days))[0]).toBe('cid');
  });
});
