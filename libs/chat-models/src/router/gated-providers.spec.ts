import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { promptOf } from '../../test/collected.ts';
import { ModelRouter } from './model-router.ts';
import { ProviderGate } from './provider-gate.ts';
import { type Answer, hello, LIMITS, refuse, RoutedProviders, usage } from '../../test/routed-providers.ts';

describe('the router of models', () => {
  const providers = new RoutedProviders();
  // The first call of a process loads the provider's library, which may take longer than the limits below.
  beforeAll(async () => {
    await providers.open();
    await providers.routing().ask();
    await providers.close();
  });
  beforeEach(() => providers.open());
  afterEach(() => providers.close());

  describe('a provider that is silent', () => {
    it.each(['nothing', 0] as const)('is abandoned before its first token, and the fallback answers (%j)', async (after) => {
      providers.first.behave = () => ({ does: 'hang', after });
      const { begin, text } = await providers.routing({ fallbacks: ['two'], limits: { firstTokenMillis: 1_000 } }).ask();
      expect([begin?.model, begin?.charges[0]?.model, text]).toEqual(['two', 'one', 'Hello']);
      await providers.first.calls[0]!.closed;
    });
    it('is abandoned between two tokens, with the usage so far', async () => {
      providers.first.behave = () => ({ does: 'hang', after: 3 });
      const { text, error } = await providers.routing({ limits: { nextTokenMillis: 500 } }).ask();
      expect(text).toBe('word word word ');
      expect(error).toMatchObject({ code: 'provider_timed_out', usage: { estimated: true, outputTokens: expect.any(Number) } });
      await providers.first.calls[0]!.closed;
    });
    /** A model that checks its signal before each part. */
    const watching = (nextTokenMillis: number) => {
      const provider = new ProviderGate('watching', { ...LIMITS, nextTokenMillis });
      providers.gates.push(provider);
      const seen = { hasEnded: false };
      const chat = {
        async *generate(_: unknown, signal: AbortSignal) {
          try {
            for (const text of ['a', 'b']) {
              signal.throwIfAborted();
              yield { type: 'text', text } as const;
            }
            signal.throwIfAborted();
            yield { type: 'end', stopReason: 'end_turn', usage, requestId: null } as const;
          } finally {
            seen.hasEnded = true;
          }
        },
      };
      const router = new ModelRouter(new Map([['one', { id: 'one', provider, providerModel: 'm', chat, fallbacks: [] }]]));
      return { answer: router.generate('one', promptOf(), { userId: 'ann', signal: new AbortController().signal }), seen, provider };
    };
    it('has no time limit while the answer is not read', async () => {
      const limit = 100;
      let text = '';
      for await (const part of watching(limit).answer) {
        if (part.type !== 'text') continue;
        text += part.text;
        // If the limit were still running, it would expire before this timer of the same length, which started later.
        await new Promise((resolve) => setTimeout(resolve, limit));
      }
      expect(text).toBe('ab');
    });
    it('stops when the answer is no longer wanted, and its turn ends', async () => {
      const { answer, seen, provider } = watching(30_000);
      for await (const part of answer) if (part.type === 'text') break;
      expect([seen.hasEnded, provider.turns.numbers.running]).toEqual([true, 0]);
    });
  });

  describe('the breaker', () => {
    const failing = async (ask: () => Promise<Answer>, calls: number) => {
      providers.first.behave = () => refuse(503, '60');
      for (let call = 0; call < calls; call++) await ask();
    };
    it('opens when half of at least ten calls fail, and then calls fail at once', async () => {
      const { ask, gate } = providers.routing();
      for (let call = 0; call < 5; call++) await ask();
      await failing(ask, 4);
      expect(gate.state).toBe('closed');
      expect(gate.report).toEqual({ state: 'closed', since: null });
      const before503 = Date.now();
      await failing(ask, 1);
      expect(gate.state).toBe('open');
      expect(gate.report.since).toBeGreaterThanOrEqual(before503);
      const before = providers.first.ledger.calls;
      expect((await ask()).error).toMatchObject({ code: 'provider_paused', isRetryable: false });
      expect(providers.first.ledger.calls).toBe(before);
    });
    it('lets the fallback answer at once', async () => {
      const { ask } = providers.routing({ fallbacks: ['two'] });
      await failing(ask, 10);
      const before = providers.first.ledger.calls;
      expect((await ask()).begin?.model).toBe('two');
      expect(providers.first.ledger.calls).toBe(before);
    });
    it('of one provider does not affect the others', async () => {
      const { ask } = providers.routing();
      await failing(ask, 10);
      expect((await ask({}, 'two')).text).toBe('Hello');
    });
    it('closes when a later call succeeds', async () => {
      const { ask, gate } = providers.routing({ tryAgainMillis: 50 });
      await failing(ask, 10);
      const { since } = gate.report;
      const letsOneThrough = () => waitFor(() => gate.state === 'half_open', { what: 'the breaker to let a call through' });
      await letsOneThrough();
      await failing(ask, 1);
      expect(gate.state).toBe('open');
      await letsOneThrough();
      expect(gate.report).toEqual({ state: 'half_open', since });
      providers.first.behave = () => hello;
      expect((await ask()).text).toBe('Hello');
      expect(gate.report).toEqual({ state: 'closed', since: null });
    });
    it.each([400, 401])("does not count failures that are not the provider's fault (%d)", async (status) => {
      const { ask, gate } = providers.routing();
      providers.first.behave = () => refuse(status);
      for (let call = 0; call < 12; call++) await ask();
      expect(gate.state).toBe('closed');
    });
    it('counts answers that end too early', async () => {
      const { ask, gate } = providers.routing();
      providers.first.behave = () => ({ does: 'break', after: 1 });
      for (let call = 0; call < 10; call++) await ask();
      expect(gate.state).toBe('open');
    });
    it('does not count calls that were cancelled', async () => {
      const { ask, gate } = providers.routing();
      providers.first.behave = () => ({ does: 'hang', after: 'nothing' });
      for (let call = 0; call < 12; call++) {
        const stop = new AbortController();
        const arrived = providers.first.nextCall();
        const answer = ask({ signal: stop.signal });
        await arrived;
        stop.abort(new Error('enough'));
        await answer;
      }
      expect(gate.state).toBe('closed');
    });
  });
});
