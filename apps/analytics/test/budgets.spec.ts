import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { analytics } from '../src/service.ts';
import { enterPeople, person } from './other-services.ts';
import { enterDescriptions, enterTitles } from './titles.ts';

const ANN = '01K0000000000000000000000A';
const BEN = '01K0000000000000000000000B';
const GUIDE = '01K0000000000000000000000C';
const CORRECTED = '01K0000000000000000000000D';
const KEY = '01K0000000000000000000000E';
const NOBODY = '01K0000000000000000000000N';

describe('budgets', () => {
  let service: ServiceUnderTest;
  const identity = new KeysOfUsers();
  let events = 0;
  const admin = () => service.as('root', 'Admin');
  const put = (body: object, headers = admin()) => request(service.server).put('/admin/budgets').set(headers).send(body);
  const made = async (body: object) => (await put({ period: 'MONTH', limit: 1, mode: 'hard', ...body })).body;
  const list = async (query = '') => (await request(service.server).get(`/admin/budgets${query}`).set(admin())).body;
  const one = async (id: string) => (await list()).budgets.find((budget: { id: string }) => budget.id === id);
  const lend = (id: string, needed: number, more: object = {}) =>
    request(service.server)
      .post(`/internal/budgets/${id}/lend`)
      .set(service.asService('inference'))
      .send({ holder: 'h', needed, wanted: needed, closed: [], ...more });
  const place = (user: string, bot: string | null, marks: readonly string[]) => ({
    conversation_id: 'c',
    user_id: user,
    bot_id: bot,
    model: 'm',
    ...(marks.length > 0 && { budgets: marks }),
  });
  const usage = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
  const hear = (type: string, data: object) => service.hear(`parlance.inference.${type}.v1`, 'conversation-c', data, `e${++events}`);
  const submitted = (...of: Parameters<typeof place>) => hear('message-submitted', { ...place(...of), reply_id: 'r', message_id: 'm' });
  const completed = (cost: number, ...of: Parameters<typeof place>) =>
    hear('reply-completed', { ...place(...of), reply_id: 'r', usage, cost_nano_dollars: cost });
  const failed = (...of: Parameters<typeof place>) => hear('reply-failed', { ...place(...of), reply_id: 'r', code: 'x' });
  const charged = (cost: number, ...of: Parameters<typeof place>) =>
    hear('tokens-charged', { ...place(...of), charge_id: 't', purpose: 'title', usage, cost_nano_dollars: cost });
  const shows = (id: string, figures: object) =>
    waitFor(async () => expect(await one(id)).toMatchObject(figures) === undefined, { what: JSON.stringify(figures) });

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    await identity.enter(service.host);
    // Identity knows users whose data was sealed.
    for (const user of [ANN, BEN]) await identity.seal(user, 'x');
    await enterTitles(service.host, { [GUIDE]: 'Guide', [CORRECTED]: 'Corrected' });
    await enterDescriptions(service.host, { [KEY]: 'Shop' });
  });
  afterAll(() => service.stop());

  it('are available as CSV too', async () => {
    const ids = [(await made({ scope: 'bot', scope_id: GUIDE })).id, (await made({ scope: 'group', scope_id: '=Sales', limit: 0.25 })).id];
    const answer = await request(service.server).get('/admin/budgets').set(admin()).set('accept', 'text/csv');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = answer.text.trimEnd().split('\r\n');
    expect(head).toBe('id,scope,scope_id,period,limit,mode,spent,reserved,resets_at');
    expect(lines.map((line) => line.split(',').slice(0, 8).join()).toSorted()).toEqual(
      [`${ids[0]},bot,${GUIDE},MONTH,1,hard,0,0`, `${ids[1]},group,'=Sales,MONTH,0.25,hard,0,0`].toSorted(),
    );
    for (const id of ids) await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
  });
  it('are listed with the names of their subjects', async () => {
    await enterPeople(service.host, [
      person(ANN, { first_name: 'Ann' }),
      person(BEN, { first_name: '', last_name: '', email: 'ben@example.org' }),
    ]);
    const budgets = [
      { scope: 'user', scope_id: ANN },
      { scope: 'user', scope_id: BEN },
      { scope: 'bot', scope_id: GUIDE },
      { scope: 'group', scope_id: 'Sales' },
      { scope: 'all' },
    ];
    const ids: string[] = [];
    for (const budget of budgets) ids.push((await made(budget)).id);
    const names = async () => Promise.all(ids.map(async (id) => (await one(id))?.scope_name));
    await waitFor(async () => (await list()).budgets.length === ids.length, { what: 'the budgets' });
    expect(await names()).toEqual(['Ann Example', 'ben@example.org', 'Guide', 'Sales', null]);
    for (const id of ids) await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
    await waitFor(async () => (await list()).budgets.length === 0, { what: 'no budgets' });
  });
  it('are created, replaced and removed', async () => {
    const answer = await put({ scope: 'user', scope_id: ANN, period: 'DAY', limit: 0.5, mode: 'soft' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
        scope: 'user',
        scope_id: ANN,
        period: 'DAY',
        limit: 0.5,
        mode: 'soft',
        spent: 0,
        reserved: 0,
        resets_at: Math.floor(Date.now() / 86_400_000 + 1) * 86_400,
        etag: answer.headers['etag'],
      },
    ]);
    const again = await put({ scope: 'user', scope_id: ANN, period: 'DAY', limit: 2, mode: 'hard' });
    expect(again.body.id).toBe(answer.body.id);
    const own = await put({ id: '01K0000000000000000000000Z', scope: 'user', scope_id: ANN, period: 'DAY', limit: 1, mode: 'soft' });
    expect((await list()).budgets.map(({ id, limit }: { id: string; limit: number }) => [id, limit])).toEqual([
      [answer.body.id, 2],
      [own.body.id, 1],
    ]);
    const page = await list('?limit=1');
    expect((await list(`?limit=1&next_token=${page.next_token}`)).budgets[0].id).toBe(own.body.id);
    for (const id of [answer.body.id, own.body.id])
      expect((await request(service.server).delete(`/admin/budgets/${id}`).set(admin())).status).toBe(204);
    expect((await list()).budgets).toEqual([]);
  });

  it('are changed and removed only if the caller knows the current terms', async () => {
    const body = { scope: 'bot', scope_id: GUIDE, period: 'WEEK', mode: 'hard' };
    const { id, etag } = await made({ ...body, limit: 1 });
    const match = (tag: string) => ({ ...admin(), 'if-match': tag });
    const changed = await put({ ...body, limit: 2 }, match(etag));
    expect([changed.status, changed.headers['etag']]).toEqual([200, (await one(id)).etag]);
    const stale = await put({ ...body, limit: 3 }, match(etag));
    expect([stale.status, stale.body.code, (await one(id)).limit]).toEqual([412, 'version_stale', 2]);
    const path = `/admin/budgets/${id}`;
    expect((await request(service.server).delete(path).set(match(etag))).status).toBe(412);
    expect((await request(service.server).delete(path).set(match(changed.body.etag))).status).toBe(204);
    expect((await put({ ...body, limit: 3 }, match('*'))).status).toBe(412);
    expect((await request(service.server).delete(path).set(match('*'))).status).toBe(404);
  });

  it('are changed with If-Match: * whatever their terms are, even by concurrent requests', async () => {
    const body = { scope: 'bot', scope_id: GUIDE, period: 'WEEK', mode: 'hard' };
    const { id } = await made({ ...body, limit: 1 });
    const limits = [2, 3, 4, 5, 6, 7, 8, 9];
    const answers = await Promise.all(limits.map((limit) => put({ ...body, limit }, { ...admin(), 'if-match': '*' })));
    expect(answers.map(({ status }) => status)).toEqual(limits.map(() => 200));
    expect(
      (
        await request(service.server)
          .delete(`/admin/budgets/${id}`)
          .set({ ...admin(), 'if-match': '*' })
      ).status,
    ).toBe(204);
  });

  it('are created only if there is none, if the request demands that', async () => {
    const body = { scope: 'bot', scope_id: GUIDE, period: 'WEEK', mode: 'hard', limit: 1 };
    const ifAbsent = (value: string) => ({ ...admin(), 'if-none-match': value });
    const { status, body: first } = await put(body, ifAbsent('*'));
    expect([status, first.limit]).toEqual([200, 1]);
    const second = await put({ ...body, limit: 2 }, ifAbsent('*'));
    expect([second.status, second.body.code, (await one(first.id)).limit]).toEqual([412, 'budget_exists', 1]);
    // With an ID of its own, a second budget is created.
    const beside = { ...body, id: '01KXW4Q5Z0AAAAAAAAAAAAAAAA', limit: 3 };
    expect((await put(beside, ifAbsent('*'))).status).toBe(200);
    expect((await put(beside, ifAbsent('*'))).body.detail).toMatch(/^This budget already exists\./);
    expect((await put({ ...body, limit: 2 }, ifAbsent(first.etag))).body.code).toBe('invalid_if_none_match');
    expect((await put({ ...body, period: 'DAY' }, ifAbsent('*'))).status).toBe(200);
    for (const { id } of (await list()).budgets) await request(service.server).delete(`/admin/budgets/${id}`).set(admin());
    expect((await put(body, ifAbsent('*'))).status).toBe(200);
    await request(service.server).delete(`/admin/budgets/${first.id}`).set(admin());
  });

  it.each([
    [{ scope: 'all', scope_id: 'x' }, 'scope_id'],
    [{ scope: 'user' }, 'scope_id'],
    [{ scope: 'user', scope_id: 'not an id' }, 'scope_id'],
    [{ scope: 'all', limit: 0.0000000001 }, 'limit'],
    [{ scope: 'all', limit: -1 }, 'limit'],
    [{ scope: 'all', period: 'YEAR' }, 'period'],
    [{ scope: 'all', mode: 'medium' }, 'mode'],
    [{ scope: 'team', scope_id: 'x' }, 'scope'],
  ])('are refused as invalid: %j', async (body, path) => {
    const answer = await put({ period: 'DAY', limit: 1, mode: 'hard', ...body });
    expect([answer.status, answer.body.errors.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
  });

  it.each([
    [{ scope: 'user', scope_id: NOBODY }, 'must be the ID of a user'],
    [{ scope: 'bot', scope_id: NOBODY }, 'must be the ID of a bot'],
    [{ scope: 'key', scope_id: 'zzz' }, 'must be the ID of an API key that is not revoked'],
  ])('are refused for a subject that does not exist: %j', async (subject, message) => {
    const { status, body } = await put({ period: 'DAY', limit: 1, mode: 'hard', ...subject });
    expect([status, body.errors]).toEqual([400, [{ path: 'scope_id', message }]]);
  });
  it('are accepted for an API key that exists', async () => {
    const { id } = await made({ scope: 'key', scope_id: KEY });
    await request(service.server).delete(`/admin/budgets/${id}`).set(admin()).expect(204);
  });

  it('are for administrators only', async () => {
    expect((await put({ scope: 'all', period: 'DAY', limit: 1, mode: 'hard' }, service.as(ANN, 'PublishAllowed'))).status).toBe(403);
  });

  it('do not change their subject', async () => {
    const { id } = await made({ scope: 'bot', scope_id: GUIDE });
    expect((await put({ id, scope: 'all', period: 'DAY', limit: 1, mode: 'hard' })).body.code).toBe('budget_of_another_scope');
    await request(service.server).delete(`/admin/budgets/${id}`).set(admin());
    expect((await lend(id, 1)).body.code).toBe('budget_not_found');
  });

  it('lend blocks, and take them back when their replies have ended', async () => {
    const { id } = await made({ scope: 'user', scope_id: BEN });
    const { body: block } = await lend(id, 900_000_000);
    expect(block).toMatchObject({ amount: 900_000_000, usable_millis: 45_000, is_beyond: false });
    expect(await one(id)).toMatchObject({ spent: 0, reserved: 0.9 });
    const mark = `${id}/${block.block}`;
    await submitted(BEN, null, [mark]);
    await submitted(BEN, null, [mark]);
    await completed(300_000_000, BEN, null, [mark]);
    await shows(id, { spent: 0.3, reserved: 0.6 });
    const refused = await lend(id, 200_000_000, { closed: [{ block: block.block, uses: 2 }] });
    expect([refused.status, refused.body.code]).toEqual([429, 'budget_exceeded']);
    expect(refused.body.detail).toMatch(
      /^The monthly budget of this user does not have enough left for this message\. It starts again at .*Z\.$/,
    );
    expect(refused.body.budget).toEqual({ scope: 'user', group: null, period: 'MONTH' });
    const seconds = refused.body.resets_at - Date.now() / 1_000;
    expect(Math.abs(Number(refused.headers['retry-after']) - seconds)).toBeLessThan(60);
    expect(refused.body.resets_at).toBe((await one(id)).resets_at);
    await failed(BEN, null, [mark]);
    await shows(id, { spent: 0.3, reserved: 0 });
    expect((await lend(id, 200_000_000)).status).toBe(200);
  });

  it('lend again what the calls of a block turn out not to need, before analytics knows what they cost', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Exact calls' });
    const { body: block } = await lend(id, 900_000_000);
    const shrunk = [{ block: block.block, most: 300_000_000 }];
    expect((await lend(id, 700_000_001, { shrunk })).status).toBe(429);
    expect((await lend(id, 700_000_000)).status).toBe(200);
    const close = (body: object) =>
      request(service.server).post(`/internal/budgets/${id}/close`).set(service.asService('inference')).send(body);
    expect((await close({ closed: [{ block: block.block, uses: 1 }], shrunk: [{ block: block.block, most: 100_000_000 }] })).status).toBe(
      204,
    );
    expect((await lend(id, 200_000_000)).status).toBe(200);
  });
  it('are not called used up while another process holds more than it has used', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Two processes' });
    await lend(id, 900_000_000);
    const asked = await lend(id, 200_000_000, { holder: 'other' });
    expect([asked.status, asked.body.code, asked.headers['retry-after']]).toEqual([503, 'budget_busy', '1']);
    expect((await lend(id, 1_000_000_001, { holder: 'other' })).status).toBe(429);
  });

  it('count charges without a reservation, and what was spent before they were created', async () => {
    await completed(100_000_000, ANN, GUIDE, []);
    await charged(50_000_000, ANN, GUIDE, []);
    const { id } = await made({ scope: 'bot', scope_id: GUIDE });
    await shows(id, { spent: 0.15 });
    expect((await lend(id, 850_000_001)).status).toBe(429);
    expect((await lend(id, 850_000_000)).status).toBe(200);
  });

  it('are refused for a group that does not exist, and while that is unknown', async () => {
    identity.absentGroups.add('Nobody/é');
    const terms = { scope: 'group', scope_id: 'Nobody/é', period: 'MONTH', limit: 1, mode: 'hard' };
    const { status, body } = await put(terms);
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid_body',
      [{ path: 'scope_id', message: 'must name a group that exists' }],
    ]);
    service.host.local.leave('identity');
    expect((await put(terms)).body).toMatchObject({ status: 503, code: 'service_unavailable' });
    identity.absentGroups.clear();
    await identity.enter(service.host);
    expect((await put(terms)).status).toBe(200);
  });
  it('for a group count reservations', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Research' });
    const { body } = await lend(id, 10);
    await submitted(ANN, null, [`${id}/${body.block}`]);
    await completed(7, ANN, null, [`${id}/${body.block}`]);
    await shows(id, { spent: 0.000000007 });
  });

  it('in mode soft always lend, and report when they are exceeded', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Sales', mode: 'soft', limit: 0.000000001 });
    expect((await lend(id, 10)).body).toMatchObject({ amount: 10, is_beyond: true });
  });
  it('in mode soft are not exceeded by a block of exactly the remaining amount', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Exact', mode: 'soft', limit: 0.00000001 });
    expect((await lend(id, 10)).body).toMatchObject({ amount: 10, is_beyond: false });
  });

  it('keep a block for a reply that was still running when one of its calls was charged', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Calls' });
    const { body } = await lend(id, 100);
    const mark = `${id}/${body.block}`;
    await submitted(ANN, null, [mark]);
    await charged(7, ANN, null, [mark]);
    await shows(id, { spent: 0.000000007 });
    const { body: next } = await lend(id, 1, { closed: [{ block: body.block, uses: 1 }] });
    expect(Math.round((await one(id)).reserved * 1e9)).toBe(body.amount - 7 + next.amount);
  });
  it('get a block back if its replies were free', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Free' });
    const { body } = await lend(id, 100, { closed: [] });
    const mark = `${id}/${body.block}`;
    await submitted(ANN, null, [mark]);
    await completed(0, ANN, null, [mark]);
    await request(service.server)
      .post(`/internal/budgets/${id}/close`)
      .set(service.asService('inference'))
      .send({ closed: [{ block: body.block, uses: 1 }] });
    await shows(id, { spent: 0, reserved: 0 });
  });

  it('get blocks of lost borrowers back after the lease', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Lost' });
    const { body } = await lend(id, 1_000_000_000);
    await submitted(ANN, null, [`${id}/${body.block}`]);
    await completed(7, ANN, null, [`${id}/${body.block}`]);
    await shows(id, { reserved: 0.999999993 });
    service.later(90_000);
    await shows(id, { reserved: 0 });
  });

  it('lend the same nano-dollar only once', async () => {
    const { id } = await made({ scope: 'group', scope_id: 'Busy' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => lend(id, 100_000_000)));
    const amounts = answers.filter(({ status }) => status === 200).map(({ body }) => body.amount);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(1_000_000_000);
    expect(amounts.length).toBeGreaterThan(0);
  });
  it('can spend more after a downward correction of a charge, and less after an upward one', async () => {
    const today = new Date().toISOString().slice(0, 13);
    const { id } = await made({ scope: 'bot', scope_id: CORRECTED, limit: 1 });
    const group = await made({ scope: 'group', scope_id: 'Sales', limit: 1 });
    const marks = [`${group.id}/block`];
    const bot = CORRECTED;
    const corrected = (spent_difference_nano_dollars: number) =>
      service.hear(
        'parlance.inference.charge-corrected.v1',
        'restatements',
        {
          charge_id: 'c',
          cost_nano_dollars: 1,
          hour: today,
          user_id: BEN,
          bot_id: bot,
          model: 'm',
          // An earlier restatement found another cost, which does not change the spending of budgets.
          difference_nano_dollars: 5,
          spent_difference_nano_dollars,
          budgets: marks,
        },
        `e${++events}`,
      );
    await completed(900_000_000, BEN, bot, marks);
    await shows(id, { spent: 0.9 });
    expect((await lend(id, 200_000_000)).status).toBe(429);
    await corrected(-650_000_000);
    await shows(id, { spent: 0.25 });
    await shows(group.id, { spent: 0.25 });
    expect((await lend(id, 200_000_000)).status).toBe(200);
    await corrected(600_000_000);
    await shows(id, { spent: 0.85 });
    expect((await lend(id, 200_000_000)).status).toBe(429);
  });
});
