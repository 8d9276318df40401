import { beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { ExecuteCallRecord } from '../../src/commands/aggregates.ts';
import { callRecordId } from '../../src/domain/calls/call-record.ts';
import { type CallsWorld, inOneMinute } from './calls-world.ts';
import { beginEvents, events, json } from './mock-provider.ts';

const CALLS = 240;
const AT_ONCE = 40;
/** Every tenth call or so fails in one of these ways. */
const FAULTS = ['500', 'refused', 'breaks', 'silent'] as const;

export function manyCalls(start: () => CallsWorld): void {
  describe('many calls at once, with faults', () => {
    let world: CallsWorld;
    const tokens = [newId(), newId(), newId()];
    /** What the provider bills for each call, in nano-dollars. Null if it cannot be known here. */
    const ledger = new Map<string, number | null>();
    const faultOf = (index: number) => (index % 10 === 3 ? FAULTS[Math.floor(index / 10) % FAULTS.length] : undefined);

    beforeAll(() => {
      world = start();
      world.provider.respond = (res, { body }) => {
        const { seed, stream } = JSON.parse(body) as { seed: number; stream: boolean };
        const usage = { prompt_tokens: 7 + seed, completion_tokens: 1 + (seed % 13), prompt_tokens_details: { cached_tokens: seed % 5 } };
        const cached = seed % 5;
        const cost = (usage.prompt_tokens - cached) * 1_000 + cached * 100 + usage.completion_tokens * 2_000;
        const fault = faultOf(seed);
        ledger.set(String(seed), fault === undefined ? cost : fault === 'breaks' || fault === 'silent' ? null : 0);
        if (fault === '500') return json(res, 500, {});
        if (fault === 'refused') return json(res, 400, { error: {} });
        if (fault === 'silent') return;
        const chunk = { choices: [{ delta: { content: 'Hi' } }] };
        if (fault === 'breaks') {
          beginEvents(res);
          return res.write(events(chunk), () => res.destroy());
        }
        if (!stream) return json(res, 200, { choices: [], usage });
        beginEvents(res);
        return res.end(`${events(chunk, { choices: [], usage })}data: [DONE]\n\n`);
      };
    });

    it('are each recorded once, and charged what the provider bills, to the nano-dollar', async () => {
      const costs = new Map<string, string | undefined>();
      const next = Array.from({ length: CALLS }, (_, index) => index).values();
      const caller = async () => {
        for (const seed of next) {
          const headers = world.service.asModelsToken(tokens[seed % 3]!, 'ann');
          const stream = seed % 2 === 0 || faultOf(seed) === 'breaks';
          const body = { model: 'gpt', max_tokens: 50, seed, stream, messages: [{ role: 'user', content: 'Hello' }] };
          const answer = await world.ask('/v1/chat/completions', headers, body).catch(() => null);
          if (answer) costs.set(String(seed), answer.trailers['x-parlance-cost'] ?? (answer.headers['x-parlance-cost'] as string));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, caller));
      const recorded = async () => (await world.completed()).filter(({ token_id }) => tokens.includes(token_id));
      await waitFor(async () => (await recorded()).length >= CALLS, { what: 'a record of each call' });

      const records = await recorded();
      const counts = Object.groupBy(records, ({ status }) => status);
      const known = [...ledger.values()].filter((cost) => cost !== null);
      const settled = records.filter(({ status }) => status !== 'broken' && status !== 'unsettled');
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
      expect(new Set(records.map(({ call_id }) => call_id)).size).toBe(CALLS);
      expect([counts.broken?.length, counts.unsettled?.length, counts.refused?.length, counts.failed?.length]).toEqual([6, 6, 6, 6]);
      expect(sum(settled.map(({ cost_nano_dollars }) => cost_nano_dollars))).toBe(sum(known));
      for (const [seed, cost] of ledger) if (cost !== null) expect([seed, Math.round(Number(costs.get(seed)) * 1e9)]).toEqual([seed, cost]);
      for (const { status, usage, cost_nano_dollars } of records)
        if (status === 'unsettled') expect([usage.output_tokens, cost_nano_dollars > 50 * 2_000]).toEqual([50, true]);
    });

    const atOnce = (terms: object, body: object) =>
      inOneMinute(() => {
        const headers = world.service.asModelsToken(newId(), 'ann', terms);
        return Promise.all(Array.from({ length: 64 }, () => world.ask('/v1/chat/completions', headers, body)));
      });
    it('of a token with a limit are as many as it allows', async () => {
      const answers = await atOnce({ requests_per_minute: 25 }, { model: 'gpt', seed: 0 });
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(39);
    });
    it('of a process that has crashed are charged with the most that they can have cost, once', async () => {
      const tokenId = newId();
      const usage = { inputTokens: 9, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true };
      const begun = ['a', 'b'].map((callId) => ({
        callId,
        tokenId,
        userId: 'ann',
        endpoint: 'messages',
        model: 'gpt',
        begunAt: Instant.ofMillis(Date.now()),
        reserved: { usage, costNanoDollars: 19_000 },
      }));
      const record = new ExecuteCallRecord(callRecordId(tokenId, '2026-01-01T00', newId()), {
        type: 'Record',
        at: Instant.ofMillis(Date.now()),
        begun,
        ended: [],
      });
      await world.service.part(CommandBus).execute(record);
      await waitFor(async () => (await world.recordOf({ tokenId })).length > 0, { what: 'the charges' });
      const settled = { status: 'unsettled', cost_nano_dollars: 19_000, usage: { output_tokens: 5, estimated: true } };
      expect(await world.recordOf({ tokenId })).toMatchObject([
        { call_id: 'a', ...settled },
        { call_id: 'b', ...settled },
      ]);
    });
    it('of a token with a limit of tokens are as many as fit', async () => {
      const answers = await atOnce({ tokens_per_minute: 10_000 }, { model: 'gpt', seed: 0, max_tokens: 500 });
      const passed = answers.filter(({ status }) => status === 200);
      // Each reserves its output and the tokens that a provider may add to its input.
      expect(passed.length).toBeGreaterThanOrEqual(Math.floor(10_000 / 730));
      expect(Math.min(...passed.map(({ headers: its }) => Number(its['x-ratelimit-remaining-tokens'])))).toBeGreaterThanOrEqual(0);
      expect(answers.length - passed.length).toBeGreaterThan(0);
    });
  });
}
