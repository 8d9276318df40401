import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { AnalyticsService } from './analytics-service.ts';
import { BotsService } from './bots-service.ts';

const from = '2026-01-01T00:00:00Z';
const models = {
  extends: 'builtin',
  providers: { here: { type: 'local' } },
  models: [
    { id: 'paid', provider: 'here', model: 'x', context_window: 4_000, max_output_tokens: 1_000, prices: [{ from, input: 1, output: 2 }] },
    { id: 'wide', provider: 'here', model: 'x', context_window: 90_000, max_output_tokens: 1_000, prices: [{ from, input: 1, output: 2 }] },
  ],
};

describe('budgets of messages', () => {
  let service: ServiceUnderTest;
  const analytics = new AnalyticsService();
  const bots = new BotsService();
  const send = (user = 'ann', model = 'paid', more: object = {}, groups: readonly string[] = []) =>
    request(service.server)
      .post('/conversation')
      .set(service.as(user, ...groups))
      .send({ message: { model, content: [{ content_type: 'text', body: 'hello' }], ...more } });
  let tests = 0;
  /** Each test has its own budget and user, because budgets are cached for a second. */
  let budget = '';
  const set = (scope: string, scope_id: string | null, mode: 'soft' | 'hard') =>
    service.hear('parlance.analytics.budget-set.v1', `budget-${budget}`, {
      budget_id: budget,
      scope,
      scope_id,
      period: 'DAY',
      mode,
      limit_nano_dollars: 1,
    });
  const remove = () => service.hear('parlance.analytics.budget-removed.v1', `budget-${budget}`, { budget_id: budget });
  /** Repeats the request until the service has read the budgets again. */
  const repeats = (ask: () => Promise<unknown>, until: () => boolean, what: string) =>
    waitFor(
      async () => {
        service.later(1_000);
        return (await ask(), until());
      },
      { what },
    );
  const asks = (count: number, ...of: Parameters<typeof send>) =>
    repeats(
      () => send(...of),
      () => analytics.lendings.length >= count,
      'a look at the budget',
    );
  /** The events of one reply that carry its budgets. */
  const marksOf = async (replyId: string) => {
    const events = await service.published<{ reply_id?: string; budgets?: string[] }>();
    return Object.fromEntries(
      events.filter(({ data }) => data.reply_id === replyId).map(({ type, data }) => [type.split('.')[2], data.budgets]),
    );
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
    await analytics.enter(service);
    await bots.enter(service);
  });
  beforeEach(() => {
    budget = `01K00000000000000000000${String(++tests).padStart(3, '0')}`;
  });
  afterEach(async () => {
    Object.assign(analytics, { answer: 'lends', isBeyond: false });
    await remove();
    analytics.lendings.splice(0);
    analytics.closed.splice(0);
  });
  afterAll(() => service.stop());

  it('are not called if none applies', async () => {
    await set('user', 'ben', 'hard');
    await asks(1, 'ben');
    expect((await send('ann')).status).toBe(202);
    expect(analytics.lendings).toHaveLength(1);
  });
  it('are not called for a free model', async () => {
    await set('user', 'kit', 'hard');
    await asks(1, 'kit');
    analytics.answer = 'refuses';
    expect((await send('kit', 'local-extractive')).status).toBe(202);
  });
  it('reserve the most that the reply may cost, and mark the message and its reply', async () => {
    await set('user', 'cid', 'hard');
    await asks(1, 'cid');
    // The output limit at its price, and a prompt of few tokens.
    expect(analytics.lendings[0]!.needed).toBeGreaterThan(2_000_000);
    expect(analytics.lendings[0]!.needed).toBeLessThan(2_000_000 + 400_000);
    const { conversation_id, message_id } = (await send('cid')).body;
    const path = `/conversation/${conversation_id}/${message_id}`;
    await waitFor(async () => (await request(service.server).get(path).set(service.as('cid'))).status === 200, { what: 'the reply' });
    const mark = [`${budget}/2026-11-22-b1`];
    expect(await marksOf(message_id)).toEqual({ 'message-submitted': mark, 'reply-completed': mark });
    expect(analytics.lendings).toHaveLength(1);
  });
  it('reserve the instruction of a bot, for a message and for another reply to it', async () => {
    Object.assign(bots, { owner: 'lea', givesPrompts: true, hasKnowledge: false, settings: { instruction: ' word'.repeat(20_000) } });
    const bot_id = '01K0000000000000000000000B';
    const post = (body: object) =>
      request(service.server)
        .post('/conversation')
        .set(service.as('lea'))
        .send({ bot_id, ...body });
    const message = { model: 'wide', content: [{ content_type: 'text', body: 'hello' }] };
    const { conversation_id, message_id } = (await post({ message })).body;
    const path = `/conversation/${conversation_id}/${message_id}`;
    const reply = await waitFor(
      async () => {
        const answer = await request(service.server).get(path).set(service.as('lea'));
        return answer.status === 200 ? answer.body : null;
      },
      { what: 'the reply' },
    );
    const again = { conversation_id, message: { model: 'wide', content: [], parent_message_id: reply!.message.parent } };
    for (const body of [again, { message }]) {
      await set('user', 'lea', 'hard');
      await repeats(
        () => post(body),
        () => analytics.lendings.length > 0,
        'a look at the budget',
      );
      // 20,000 tokens, the tokens of the frame and of the few words, and the output limit.
      expect(analytics.lendings[0]!.needed).toBeGreaterThan(20_000_000);
      expect(analytics.lendings[0]!.needed).toBeLessThan(20_000_000 + 2_000_000 + 400_000);
      analytics.lendings.splice(0);
      await remove();
      budget = `${budget.slice(0, -3)}999`;
    }
  });
  it('apply to the groups of the user', async () => {
    await set('group', 'Research', 'hard');
    await asks(1, 'dan', 'paid', {}, ['Research']);
    expect((await send('dan', 'paid', {}, ['Sales'])).status).toBe(202);
    expect(analytics.lendings).toHaveLength(1);
  });
  it('refuse a message when too little is left of a hard budget', async () => {
    analytics.answer = 'refuses';
    await set('user', 'eve', 'hard');
    await asks(1, 'eve');
    const answer = await send('eve');
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      429,
      '60',
      expect.objectContaining({
        code: 'budget_exceeded',
        resets_at: 1_800_000_000,
        budget: { scope: 'user', group: null, period: 'DAY' },
      }),
    ]);
  });
  it('refuse the check of a model too', async () => {
    analytics.answer = 'refuses';
    await set('user', 'eda', 'hard');
    await asks(1, 'eda');
    const answer = await request(service.server).post('/admin/models/paid/check').set(service.as('eda', 'Admin'));
    expect([answer.status, answer.body.code]).toEqual([429, 'budget_exceeded']);
  });
  it('warn when a soft budget is exceeded', async () => {
    analytics.isBeyond = true;
    await set('user', 'fay', 'soft');
    await asks(1, 'fay');
    const answer = await send('fay');
    expect([answer.status, answer.headers['x-parlance-budget-warning']]).toEqual([
      202,
      'The budget of this user is used up. It starts again at 2027-01-15T08:00:00.000Z.',
    ]);
  });
  it('warn on a stream too, and reserve for another reply to a message', async () => {
    analytics.isBeyond = true;
    await set('user', 'flo', 'soft');
    await asks(1, 'flo');
    const stream = await send('flo').set('accept', 'text/event-stream');
    expect([stream.status, stream.headers['x-parlance-budget-warning']]).toEqual([200, expect.stringContaining('this user')]);
    const { conversation_id, message_id } = JSON.parse(/^event: start\ndata: (.*)$/m.exec(stream.text)![1]!);
    const reply = (await request(service.server).get(`/conversation/${conversation_id}/${message_id}`).set(service.as('flo'))).body;
    const again = await request(service.server)
      .post('/conversation')
      .set(service.as('flo'))
      .send({ conversation_id, message: { content: [], parent_message_id: reply.message.parent } });
    expect([again.status, again.headers['x-parlance-budget-warning']]).toEqual([202, expect.stringContaining('this user')]);
    const marks = await waitFor(
      async () => {
        const its = await marksOf(again.body.message_id);
        return 'reply-completed' in its ? its : null;
      },
      { what: 'the other reply' },
    );
    expect(Object.values(marks!)).toEqual([[expect.any(String)], [expect.any(String)]]);
  });
  it('refuse nothing when a soft budget cannot be reached, and everything when a hard one cannot', async () => {
    await set('user', 'gus', 'soft');
    await asks(1, 'gus');
    analytics.answer = 'is away';
    await waitFor(async () => (await send('gus')).headers['x-parlance-budget-warning'] === undefined, { what: 'no warning' });
    await set('user', 'hal', 'hard');
    await waitFor(async () => (await send('hal')).status === 503, { what: '503' });
    const refused = await send('hal');
    expect(refused.body.code).toBe('service_unavailable');
  });
  it('are ignored when they were just removed', async () => {
    analytics.answer = 'has no such budget';
    await set('user', 'ida', 'hard');
    await asks(1, 'ida');
    expect((await send('ida')).status).toBe(202);
  });
  it('get back the reservation of a refused message', async () => {
    analytics.suffix = ' of jim';
    await set('user', 'jim', 'hard');
    await asks(1, 'jim');
    const before = (await send('jim')).body;
    const wrong = { parent_message_id: '01K0000000000000000000000Q' };
    const answer = await request(service.server)
      .post('/conversation')
      .set(service.as('jim'))
      .send({
        conversation_id: before.conversation_id,
        message: { model: 'paid', content: [{ content_type: 'text', body: 'x' }], ...wrong },
      });
    expect(answer.body.code).toMatch(/parent_message_unknown|reply_in_progress/);
    const block = '2026-11-22-b1 of jim';
    service.later(5_000);
    await waitFor(() => analytics.closed.some((one) => one.block === block), { what: 'the idle block to be closed' });
    expect(analytics.closed.filter((one) => one.block === block)).toEqual([{ block, uses: 2 }]);
  });
});
