import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { AnalyticsService } from '../analytics-service.ts';
import { firstApi, message, otherApi, PublishedWorld } from './published-world.ts';

const from = '2026-01-01T00:00:00Z';
const models = JSON.stringify({
  extends: 'builtin',
  providers: { here: { type: 'local' } },
  models: [
    { id: 'paid', provider: 'here', model: 'x', context_window: 4_000, max_output_tokens: 1_000, prices: [{ from, input: 1, output: 2 }] },
  ],
});

describe('the cost of a reply through a published API', () => {
  const world = new PublishedWorld();
  const analytics = new AnalyticsService();
  let budget = '';
  const paid = message('hello', { model: 'paid' });
  const send = (api = firstApi) => world.call('post', '/conversation', { message: paid }, {}, api);
  /** The budgets in which the cost of a new message is reserved. */
  const marks = async (api = firstApi): Promise<readonly string[]> => {
    const [accepted] = await world.publishedEventsOf((await send(api)).body);
    return (accepted!.data as { budgets?: readonly string[] }).budgets ?? [];
  };
  /** The budgets in which a message reserves its cost after the service has read the budgets again. */
  const newMarks = (api = firstApi) => {
    world.service.later(1_000);
    return marks(api);
  };
  const budgetOf = (mark: string) => mark.split('/')[0];
  const set = (scope: string, scope_id: string) =>
    world.service.hear('parlance.analytics.budget-set.v1', `budget-${budget}`, {
      budget_id: budget,
      scope,
      scope_id,
      period: 'DAY',
      mode: 'hard',
      limit_nano_dollars: 1,
    });

  beforeAll(async () => {
    await world.open({ PARLANCE_MODELS: models });
    await analytics.enter(world.service);
  });
  beforeEach(() => {
    budget = newId();
    analytics.lendings.splice(0);
  });
  afterEach(async () => {
    analytics.answer = 'lends';
    world.bots.groups.clear();
    await world.service.hear('parlance.analytics.budget-removed.v1', `budget-${budget}`, { budget_id: budget });
  });
  afterAll(() => world.service.stop());

  it('is charged to the owner and the bot, with the API and the key', async () => {
    const { body } = await send();
    const events = await world.publishedEventsOf(body);
    const payer = { user_id: 'ann', bot_id: firstApi.botId, api_id: firstApi.apiId, api_key_id: firstApi.keyId };
    expect(events.map(({ type, data }) => [type.split('.')[2], data])).toEqual([
      ['message-submitted', expect.objectContaining(payer)],
      ['reply-completed', expect.objectContaining({ ...payer, cost_nano_dollars: expect.any(Number) })],
    ]);
  });

  it.each([
    ['key', firstApi.keyId],
    ['bot', firstApi.botId],
    ['user', 'ann'],
    ['group', 'Sales'],
  ])('is reserved in a budget of the %s, and refused when it is used up', async (scope, id) => {
    world.bots.groups.set('ann', ['Sales']);
    await set(scope, id);
    const mark = [expect.stringMatching(`^${budget}/`)];
    await waitFor(async () => isDeepStrictEqual((await newMarks()).map(budgetOf), [budget]), { what: 'a look at the budget' });
    const [accepted, ended] = await world.publishedEventsOf((await send()).body);
    expect([accepted!.data, ended!.data]).toMatchObject([{ budgets: mark }, { budgets: mark }]);
    analytics.answer = 'refuses';
    await waitFor(async () => (await send()).status === 429, { what: 'the lent block to be used up' });
    const refused = await send();
    expect([refused.status, refused.body.code]).toEqual([429, 'budget_exceeded']);
  });

  it('is not reserved in the budget of another key, or of a group without the owner', async () => {
    await set('key', otherApi.keyId);
    await waitFor(async () => isDeepStrictEqual((await newMarks(otherApi)).map(budgetOf), [budget]), { what: 'a look at the budget' });
    expect(await marks()).toEqual([]);
    await set('group', 'Sales');
    world.bots.groups.set('ann', ['Finance']);
    await waitFor(async () => (await newMarks(otherApi)).length === 0, { what: 'a look at the budget' });
    expect(await marks()).toEqual([]);
  });
});
