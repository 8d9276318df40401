import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { AnalyticsService } from './analytics-service.ts';
import { type Place, ToolWorld } from './tool-world.ts';

const models = {
  extends: 'builtin',
  providers: { here: { type: 'local' } },
  models: [
    {
      id: 'paid',
      provider: 'here',
      model: 'x',
      context_window: 200_000,
      max_output_tokens: 1_000,
      prices: [{ from: '2026-01-01T00:00:00Z', input: 1, output: 2 }],
    },
  ],
  defaults: { chat: 'paid' },
};

describe('the budgets of a reply that calls tools', () => {
  const world = new ToolWorld();
  const analytics = new AnalyticsService();
  /** The published events of a reply with its blocks, in order. */
  const marksOf = ({ conversation_id }: Place) =>
    world.published
      .map(({ type, data }) => ({
        type: type.split('.')[2],
        ...(data as { conversation_id?: string; budgets?: string[]; next_budgets?: string[] }),
      }))
      .filter((each) => each.conversation_id === conversation_id)
      .map(({ type, budgets, next_budgets }) => [type, ...(budgets ?? []), ...(next_budgets ? ['next', ...next_budgets] : [])]);

  beforeAll(async () => {
    await world.open({ PARLANCE_MODELS: JSON.stringify(models) });
    analytics.messagesOfABlock = 1;
    await analytics.enter(world.service);
    const place = { scope: 'user', scope_id: 'ann', period: 'DAY', mode: 'hard', limit_nano_dollars: 1 };
    await world.service.hear('parlance.analytics.budget-set.v1', 'budget-g', { budget_id: 'g', ...place });
    await waitFor(
      async () => {
        const reply = await world.ask('Warm?');
        (await world.model.call('Warm?')).end();
        await world.finished(reply);
        return analytics.lendings.length > 0;
      },
      { what: 'a look at the budget' },
    );
  });
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('have a reservation for each model call: a charge ends one, and begins the next', async () => {
    const place = await world.ask('How much?');
    (await world.model.call('How much?')).use('calculator', { expression: '1+1' }).await();
    (await world.model.call('How much?', 1)).say('Two.').end();
    await world.finished(place);
    await world.charges(place);
    const [submitted, charged, completed] = marksOf(place);
    const [first, last] = [submitted![1]!, completed![1]!];
    expect([first, last]).toEqual([expect.stringMatching(/^g\//), expect.stringMatching(/^g\//)]);
    expect([submitted, charged, completed]).toEqual([
      ['message-submitted', first],
      ['tokens-charged', first, 'next', last],
      ['reply-completed', last],
    ]);
  });
  it('reserve the cost of all bytes that the results can have', async () => {
    const place = await world.ask('How many?');
    const { length } = analytics.lendings;
    const call = await world.model.call('How many?');
    call.use('calculator', { expression: '1+1' }).use('calculator', { expression: '2+2' }).await();
    (await world.model.call('How many?', 1)).say('Two and four.').end();
    await world.finished(place);
    // Nano-dollars: 64 KiB of each result at 1.3 bytes per token, and 1,000 tokens of output.
    const most = ((2 * 64 * 1024) / 1.3) * 1_000 + 1_000 * 2_000;
    const next = Math.max(...analytics.lendings.slice(length).map(({ needed }) => needed));
    expect([next > most, next < most * 1.05]).toEqual([true, true]);
  });
  it('reuse a reservation if the reply was cancelled while the reservation was being made', async () => {
    const place = await world.ask('And then?');
    const call = await world.model.call('And then?');
    const { promise: lending, resolve: lend } = Promise.withResolvers<void>();
    const { length } = analytics.lendings;
    analytics.lending = lending;
    call.use('calculator', { expression: '1+1' }).await();
    await waitFor(() => analytics.lendings.length > length, { what: 'the reservation' });
    const block = `2026-11-22-b${analytics.lendings.length}`;
    await world.post(`${world.pathOf(place)}/cancel`, {});
    lend();
    expect((await world.finished(place)).message.stop_reason).toBe('cancelled');
    const next = await world.ask('And now?');
    (await world.model.call('And now?')).end();
    await world.finished(next);
    await world.charges(next);
    expect(marksOf(next)[0]).toEqual(['message-submitted', `g/${block}`]);
  });
  it('are waited for while they are unreachable, and the previous model call is made and charged once', async () => {
    const place = await world.ask('Still there?');
    const call = await world.model.call('Still there?');
    analytics.answer = 'is away';
    call.use('calculator', { expression: '1+1' }).await();
    await waitFor(() => analytics.lost > 0, { what: 'the reservation to fail' });
    analytics.answer = 'lends';
    (await world.model.call('Still there?', 1)).end();
    await world.finished(place);
    expect(await world.charges(place)).toEqual(['reply-1', 'end']);
  });
  it('end the reply with the text so far when they do not allow another model call', async () => {
    const place = await world.ask('And more?');
    const call = await world.model.call('And more?');
    analytics.answer = 'refuses';
    call.say('Let me see.').use('calculator', { expression: '1+1' }).await();
    const { status, error, message } = await world.finished(place);
    expect([status, error.code, message.content]).toEqual(['failed', 'budget_exceeded', [{ content_type: 'text', body: 'Let me see.' }]]);
    expect(await world.charges(place)).toEqual(['reply']);
  });
});
