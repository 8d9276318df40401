import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventStreams } from '@parlance/foundation';
import { waitFor } from '@parlance/testing';
import OpenAI from 'openai';
import { AnalyticsService } from '../analytics-service.ts';
import { PublishedBot } from './published-bot.ts';

const from = '2026-01-01T00:00:00Z';
const paid = { id: 'paid', provider: 'here', model: 'x', context_window: 4_000, prices: [{ from, input: 1, output: 2 }] };
const models = { extends: 'builtin', providers: { here: { type: 'local' } }, models: [paid] };

describe('a request of a client of OpenAI', () => {
  const bot = new PublishedBot();
  const analytics = new AnalyticsService();
  let client: OpenAI;
  const ask = (content: string, more: { readonly model?: string; readonly signal?: AbortSignal } = {}) =>
    client.chat.completions.create(
      { model: more.model ?? 'local-extractive', messages: [{ role: 'user', content }] },
      { ...(more.signal && { signal: more.signal }) },
    );
  /** The replies in the key's only conversation that starts with these words. */
  const replies = async () => {
    const log = await bot.service.host.published.of('inference');
    return (await log!.after(0)).events as readonly { type: string; data: Readonly<Record<string, unknown>> }[];
  };

  beforeAll(async () => {
    await bot.start({ PARLANCE_MODELS: JSON.stringify(models) });
    await analytics.enter(bot.service);
    client = bot.openai();
  });
  afterAll(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });

  it('leaves its reply to be written when the client has left', async () => {
    const whileOpen = jest.spyOn(EventStreams.prototype, 'whileOpen');
    const gone = new AbortController();
    const asking = ask('Why gone?', { signal: gone.signal });
    const call = await bot.model.call('Why gone?');
    gone.abort();
    await expect(asking).rejects.toThrow(OpenAI.APIUserAbortError);
    // No request is waiting for the reply any longer.
    await Promise.allSettled(whileOpen.mock.results.map(({ value }) => value as Promise<unknown>));
    call.say('So.').end();
    await waitFor(async () => (await replies()).some(({ type }) => type === 'parlance.inference.reply-completed.v1'), {
      what: 'the reply',
    });
  });

  it('is refused if a budget is used up, without a call to the model', async () => {
    const budget = { budget_id: '01K00000000000000000000001', scope: 'key', scope_id: 'key-1', period: 'DAY', mode: 'hard' };
    await bot.service.hear('parlance.analytics.budget-set.v1', 'budget-1', { ...budget, limit_nano_dollars: 1 });
    analytics.answer = 'refuses';
    const calls = () => bot.model.calls.length;
    let error: InstanceType<typeof OpenAI.APIError> | null = null;
    await waitFor(
      async () => {
        const before = calls();
        const asking = ask(`Why paid ${before}?`, { model: 'paid' }).catch((refused: unknown) => {
          error = refused as InstanceType<typeof OpenAI.APIError>;
        });
        // The model is called until this service knows the budget.
        await Promise.race([asking, waitFor(() => calls() > before || error !== null, { what: 'an answer' })]);
        bot.model.calls.at(-1)?.end();
        await asking;
        return error !== null;
      },
      { what: 'the refusal' },
    );
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ status: 429, type: 'insufficient_quota', code: 'budget_exceeded' });
  });
});
