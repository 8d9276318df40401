import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { AnalyticsService } from '../analytics-service.ts';
import type { CallsWorld } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

export function callsWithFees(start: () => CallsWorld): void {
  describe('what a provider bills besides tokens', () => {
    const usage = { input_tokens: 10, output_tokens: 2, service_tier: 'priority', server_tool_use: { web_search_requests: 3 } };
    /** A search costs a cent. */
    const cost = 10 * 1_000 + 2 * 2_000 + 3 * 10_000_000;
    const bodyOf = (model: string, more: object = {}) => ({ model, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }], ...more });

    it('is charged if its price is known, and marked otherwise', async () => {
      const world = start();
      world.provider.respond = (res) => json(res, 200, { content: [], usage });
      const caller = world.caller();
      const answer = await world.ask('/v1/messages', caller.headers, bodyOf('claude'));
      expect(Number(answer.headers['x-parlance-cost'])).toBe(cost / 1e9);
      expect(await world.recordOf(caller)).toMatchObject([
        { cost_nano_dollars: cost, usage: { web_searches: 3 }, unpriced: ['service_tier_priority'] },
      ]);
      const listed = await world.ask('/user/me/calls', caller.headers);
      expect(JSON.parse(listed.text).calls).toMatchObject([{ web_searches: 3, unpriced: ['service_tier_priority'] }]);
    });
    it('is read from streams, too', async () => {
      const world = start();
      world.provider.respond = (res) => {
        beginEvents(res);
        const started = { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1, service_tier: 'priority' } } };
        const ended = { type: 'message_delta', delta: {}, usage: { output_tokens: 2, server_tool_use: usage.server_tool_use } };
        res.end(`${events(started, ended)}event: message_stop\ndata: {"type":"message_stop"}\n\n`);
      };
      const caller = world.caller();
      await world.ask('/v1/messages', caller.headers, bodyOf('claude', { stream: true }));
      expect(await world.recordOf(caller)).toMatchObject([{ cost_nano_dollars: cost, unpriced: ['service_tier_priority'] }]);
    });
    it.each([
      ['priority', ['service_tier_priority']],
      ['default', undefined],
    ])('is the tier %s of OpenAI, beside the usage', async (service_tier, unpriced) => {
      const world = start();
      world.provider.respond = (res) => json(res, 200, { choices: [], service_tier, usage: { prompt_tokens: 10, completion_tokens: 2 } });
      const caller = world.caller();
      await world.chat(caller.headers, bodyOf('gpt'));
      expect((await world.recordOf(caller))[0]?.unpriced).toEqual(unpriced);
    });
    it('is marked for searches of a model without a price of searches', async () => {
      const world = start();
      world.provider.respond = (res) =>
        json(res, 200, { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, server_tool_use: { web_search_requests: 1 } } });
      const caller = world.caller();
      await world.chat(caller.headers, bodyOf('gpt'));
      expect(await world.recordOf(caller)).toMatchObject([{ cost_nano_dollars: 14_000, unpriced: ['web_search'] }]);
    });
  });
}

export function callsInBudgets(start: () => CallsWorld): void {
  describe('calls of a user with a budget', () => {
    let world: CallsWorld;
    const analytics = new AnalyticsService();
    const budget = newId();
    const body = { model: 'gpt', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
    const tokenId = newId();
    const chat = (sent: object = body) => world.ask('/v1/chat/completions', world.service.asModelsToken(tokenId, 'bea'), sent);

    beforeAll(async () => {
      world = start();
      await analytics.enter(world.service);
      world.provider.respond = (res) => json(res, 200, { usage: { prompt_tokens: 10, completion_tokens: 1 } });
      await world.service.hear('parlance.analytics.budget-set.v1', `budget-${budget}`, {
        budget_id: budget,
        scope: 'user',
        scope_id: 'bea',
        period: 'DAY',
        mode: 'hard',
        limit_nano_dollars: 1,
      });
      // Budgets are in memory for a second.
      await waitFor(async () => (world.service.later(1_000), await chat(), analytics.lendings.length > 0), {
        what: 'a look at the budget',
      });
    });

    it('reserve what they can cost by the tokenizer, and name the block in which it was', async () => {
      const [{ needed } = { needed: 0 }] = analytics.lendings;
      const output = 100 * 2_000;
      // A few tokens of text, and those that a provider may add, at a dollar for a million.
      expect(needed).toBeGreaterThan(output + 200_000);
      expect(needed).toBeLessThan(output + 260_000);
      const last = (await world.completed()).at(-1);
      expect(last).toMatchObject({ cost_nano_dollars: 12_000, budgets: [expect.stringContaining(`${budget}/`)] });
    });
    it('spend again what an ended call has not used, without another block', async () => {
      await chat();
      const before = analytics.lendings.length;
      for (let index = 0; index < 10; index++) expect((await chat()).status).toBe(200);
      expect(analytics.lendings).toHaveLength(before);
    });
    it('reserve in the budgets of their token and its cost centre, and in no other', async () => {
      const [own, centre, other] = [newId(), newId(), newId()];
      const program = newId();
      for (const [id, scope, scope_id] of [
        [own, 'token', program],
        [centre, 'cost_centre', 'Sales & Co'],
        [other, 'token', newId()],
      ] as const)
        await world.service.hear('parlance.analytics.budget-set.v2', `budget-${id}`, {
          budget_id: id,
          scope,
          scope_id,
          period: 'DAY',
          mode: 'hard',
          limit_nano_dollars: 1,
        });
      const headers = world.service.asModelsToken(program, 'cleo', { cost_centre: 'Sales & Co' });
      const budgetsOf = async () => ((await world.recordOf({ tokenId: program })).at(-1)?.budgets ?? []).map((mark) => mark.split('/')[0]);
      await waitFor(async () => (world.service.later(1_000), await world.chat(headers, body), (await budgetsOf()).length > 0), {
        what: 'a look at the budgets',
      });
      await world.chat(headers, body);
      expect((await budgetsOf()).toSorted()).toEqual([own, centre].toSorted());
    });
    it('of a route reserve what its dearest model can cost', async () => {
      const before = analytics.lendings.length;
      // Uses up the block that is left.
      await waitFor(async () => (await chat({ ...body, model: 'pair' }), analytics.lendings.length > before), { what: 'a further block' });
      const [, ...further] = analytics.lendings;
      // Output at four dollars for a million, though the model that answers takes two.
      expect(further.at(-1)!.needed).toBeGreaterThan(100 * 4_000 + 600_000);
      expect((await world.completed()).at(-1)).toMatchObject({
        model: 'one',
        route: 'pair',
        budgets: [expect.stringContaining(`${budget}/`)],
      });
    });
    it('are refused in their format when too little is left, and reach no provider', async () => {
      analytics.answer = 'refuses';
      const before = world.provider.requests.length;
      const dear = { ...body, max_tokens: 1_000, n: 100 };
      const limited = world.service.asModelsToken(newId(), 'bea', { requests_per_minute: 7 });
      const { status, text, headers } = await world.ask('/v1/chat/completions', limited, dear);
      expect([status, JSON.parse(text).error]).toMatchObject([429, { code: 'budget_exceeded', type: 'insufficient_quota' }]);
      expect([headers['x-ratelimit-limit-requests'], headers['x-ratelimit-remaining-requests']]).toEqual(['7', '6']);
      expect(world.provider.requests).toHaveLength(before);
    });
  });
}
