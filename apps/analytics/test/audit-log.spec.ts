import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { PageTokens } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { auditActions } from '../src/policies/audit-actions.ts';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';
import { enterTitles } from './titles.ts';
import { dataOf } from './audited-events.ts';

interface Entry {
  readonly id: string;
  readonly [field: string]: unknown;
}

describe('the audit log', () => {
  let service: ServiceUnderTest;
  const heardBefore = Math.ceil(Date.now() / 1_000) + 30;
  const ask = async (path = '') => (await request(service.server).get(`/admin/audit-logs${path}`).set(service.as('root', 'Admin'))).body;
  /** Filters out the entries of the test's own reads, by moving reads a minute later. */
  const first = () => `start_time=0&end_time=${heardBefore}`;
  const all = async (): Promise<readonly Entry[]> => (await ask(`?limit=1000&${first()}`)).audit_logs;
  const entry = async (id: string) => (await all()).find((each) => each.id === id);
  const idOf = (type: string) => `event-of-${type}`;

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    service.later(60_000);
    for (const type of auditActions.keys()) await service.hear(type, 'subject', dataOf(type), idOf(type));
    await waitFor(async () => (await all()).length >= auditActions.size, { what: 'all entries' });
  });
  afterAll(() => service.stop());

  it('has one entry for each action, however often its event is delivered', async () => {
    for (const type of auditActions.keys()) await service.hear(type, 'subject', dataOf(type), idOf(type));
    // This event arrives after the repeats, because it has their subject and so their partition.
    await service.hear('parlance.bots.bot-deleted.v1', 'subject', { bot_id: 'last', owner_user_id: 'u' }, 'last');
    await service.hear('parlance.identity.user-enabled.v1', 'subject', { user_id: 'last' }, 'last-of-identity');
    await waitFor(async () => (await all()).length >= auditActions.size + 2, { what: 'the last entries' });
    expect((await all()).map(({ id }) => id).toSorted()).toEqual(
      [...[...auditActions.keys()].map(idOf), 'last', 'last-of-identity'].toSorted(),
    );
  });
  it('is available as CSV too, complete and with the same filters', async () => {
    const get = (path: string) =>
      request(service.server).get(`/admin/audit-logs${path}`).set(service.as('root', 'Admin')).set('accept', 'text/csv');
    const answer = await get(`?${first()}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, ...lines] = answer.text.trimEnd().split('\r\n');
    expect(head).toBe(
      'id,timestamp,user_id,user_name,action_type,resource_type,resource_id,resource_name,success,error_message,ip_address,user_agent,details',
    );
    expect(lines.map((line) => line.split(',')[0])).toEqual((await all()).map(({ id }) => id));
    const pinned = idOf('parlance.bots.bot-pinned.v1');
    for (const path of [
      `?action_type=pin&success=true&${first()}`,
      `?resource_type=bot&resource_id=b&${first()}`,
      `/user/harness?${first()}`,
    ])
      expect((await get(path)).text).toMatch(
        new RegExp(
          `^${pinned},\\d+,harness,harness Example,pin,bot,b,,true,,203\\.0\\.113\\.9,,"\\{""shared_status"":""pinned@007"",""order"":7\\}"`,
          'm',
        ),
      );
    expect((await get(`?action_type=pin&success=true&${first()}`)).text.trimEnd().split('\r\n')).toHaveLength(2);
    expect((await get('/resource/bot/01K0000000000000000000000B')).text.trimEnd()).toBe(head);
    expect((await request(service.server).get('/admin/audit-logs').set(service.as('ann')).set('accept', 'text/csv')).status).toBe(403);
  });
  it('has the status of sharing and the order of a pin', async () => {
    expect(await entry(idOf('parlance.bots.bot-pinned.v1'))).toMatchObject({
      action_type: 'pin',
      resource_id: 'b',
      details: { shared_status: 'pinned@007', order: 7 },
    });
    expect(await entry(idOf('parlance.bots.bot-unpinned.v1'))).toMatchObject({
      action_type: 'unpin',
      details: { shared_status: 'shared' },
    });
    expect(await entry(idOf('parlance.bots.bot-narrowed.v1'))).toMatchObject({
      action_type: 'change_visibility',
      details: { shared_scope: 'private', previous_scope: 'all', editor_user_ids: ['u'] },
    });
  });
  it('names the actor, the action, the resource and the address', async () => {
    expect(await entry(idOf('parlance.bots.bot-created.v1'))).toEqual({
      id: idOf('parlance.bots.bot-created.v1'),
      user_id: 'harness',
      action_type: 'create_bot',
      resource_type: 'bot',
      resource_id: 'b',
      timestamp: expect.any(Number),
      details: {},
      ip_address: '203.0.113.9',
      user_agent: null,
      success: true,
      error_message: null,
      user_name: 'harness Example',
      resource_name: null,
    });
    expect(await entry(idOf('parlance.identity.session-ended.v1'))).toMatchObject({
      action_type: 'end_session',
      resource_id: 'u',
      details: { session_id: 's', reason: 'ended_elsewhere' },
    });
  });
  it('has the names of users and bots while their services answer', async () => {
    await enterPeople(service.host, [person('harness', { first_name: 'Ada' }), person('u', { first_name: '', last_name: '' })]);
    await enterTitles(service.host, { b: 'Handbook' });
    const names = async (type: string) => {
      const { user_name, resource_name } = (await entry(idOf(type)))!;
      return [user_name, resource_name];
    };
    expect(await names('parlance.bots.bot-created.v1')).toEqual(['Ada Example', 'Handbook']);
    expect(await names('parlance.identity.user-disabled.v1')).toEqual(['Ada Example', 'u@example.org']);
    expect(await names('parlance.identity.group-created.v1')).toEqual(['Ada Example', 'Marketing']);
    await enterTitles(service.host, { b: '=HYPERLINK("https://evil.example")' });
    const csv = await request(service.server)
      .get(`/admin/audit-logs?action_type=create_bot&${first()}`)
      .set(service.as('root', 'Admin'))
      .set('accept', 'text/csv');
    expect(csv.text).toContain(`,harness,Ada Example,create_bot,bot,b,"'=HYPERLINK(""https://evil.example"")",true,`);
  });
  it('shows the promotion of an account whose address is not verified', async () => {
    expect(await entry(idOf('parlance.identity.unverified-user-confirmed.v1'))).toMatchObject({
      action_type: 'confirm_unverified_user',
      resource_id: 'u',
      details: { group: 'Admin', confirm_unverified: true },
    });
  });
  it('names refused actions and the reasons', async () => {
    expect(await entry(idOf('parlance.bots.action-refused.v1'))).toMatchObject({
      user_id: 'harness',
      action_type: 'pin',
      resource_type: 'bot',
      resource_id: '',
      success: false,
      error_message: 'This needs the group Admin.',
      details: { code: 'group_required' },
    });
    expect(await entry(idOf('parlance.identity.sign-in-failed.v1'))).toMatchObject({
      user_id: 'u',
      action_type: 'sign_in',
      resource_id: 'u',
      success: false,
    });
  });
  it('names users and resources only by their IDs', async () => {
    expect(JSON.stringify(await all())).not.toMatch(/s1\.|Guide/);
  });

  it('can be filtered', async () => {
    const entries = await all();
    const expectFound = async (path: string, wanted: (entry: Entry) => boolean) => {
      const found = (await ask(path.includes('_time=') ? path : `${path}${path.includes('?') ? '&' : '?'}${first()}`)).audit_logs;
      expect(found.length).toBeGreaterThan(0);
      expect([path, found]).toEqual([path, entries.filter(wanted)]);
    };
    await expectFound('?success=false', (each) => each['success'] === false);
    await expectFound('?action_type=create_group', (each) => each['action_type'] === 'create_group');
    await expectFound('?resource_type=scim_token', (each) => each['resource_type'] === 'scim_token');
    await expectFound('?resource_type=user&resource_id=u&success=true', (each) => each['resource_id'] === 'u' && each['success'] === true);
    await expectFound('?user_id=u', (each) => each['user_id'] === 'u');
    await expectFound('/user/u', (each) => each['user_id'] === 'u');
    const now = Math.ceil(Date.now() / 1_000);
    await expectFound(`?start_time=${now - 600}&end_time=${now}&limit=1000`, () => true);
    expect((await ask(`?start_time=${now + 600}&end_time=${now + 601}`)).audit_logs).toEqual([]);
    expect((await ask('/resource/bot/01K0000000000000000000000A')).audit_logs).toEqual([]);
  });
  it.each(['success=false&', 'resource_type=user&success=true&', ''])('returns full pages, and no entry twice (%s)', async (filter) => {
    const whole = (await ask(`?${filter}${first()}&limit=1000`)).audit_logs;
    const paged: Entry[] = [];
    let next = '';
    do {
      const page = await ask(`?${filter}${first()}&limit=2${next}`);
      if (page.next_token !== null) expect(page.audit_logs).toHaveLength(2);
      expect(page.audit_logs.length).toBeGreaterThan(0);
      paged.push(...page.audit_logs);
      next = page.next_token === null ? '' : `&next_token=${page.next_token}`;
    } while (next !== '');
    expect(paged).toEqual(whole);
  });
  it('continues only for the query of the previous page', async () => {
    const { next_token } = await ask('?success=true&limit=1');
    expect((await ask(`?success=false&limit=1&next_token=${next_token}`)).code).toBe('invalid_next_token');
  });
  it('refuses a page of an earlier release, which read another index', async () => {
    const tokens = new PageTokens(service.host.master.derive('page-tokens'));
    const filter = { action_type: 'pin', success: true };
    const token = tokens.seal({ list: 'audit-logs', ...filter }, ['pin', heardBefore, 'last']);
    expect((await ask(`?action_type=pin&success=true&next_token=${token}`)).code).toBe('invalid_next_token');
  });
  it.each(['?start_time=1', '?end_time=1', '?start_time=2&end_time=1', '/user/u?start_time=2'])(
    'refuses the window of %s',
    async (path) => {
      const { status, code, errors } = await ask(path);
      expect([status, code, errors.length]).toEqual([400, 'invalid_window', 1]);
    },
  );
  it('has an entry for each read by an administrator, and for each refused read', async () => {
    await ask('/user/looked-at');
    expect((await request(service.server).get('/admin/audit-logs/user/looked-at').set(service.as('ann'))).status).toBe(403);
    const looks = async () => (await ask('?action_type=view_audit_log&resource_type=user&resource_id=looked-at')).audit_logs;
    await waitFor(async () => (await looks()).length === 2, { what: 'both looks' });
    const says = ({ user_id, success }: Entry) => [user_id, success];
    expect(((await looks()) as Entry[]).map(says).toSorted()).toEqual([
      ['ann', false],
      ['root', true],
    ]);
  });
  it('is for administrators only', async () => {
    for (const path of ['', '/user/ann', '/resource/bot/01K0000000000000000000000A']) {
      const answer = await request(service.server).get(`/admin/audit-logs${path}`).set(service.as('ann'));
      expect(answer.status).toBe(403);
    }
  });
});
