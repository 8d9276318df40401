import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { promptOf } from '../../test/collected.ts';
import { openProvider } from '../../test/open-provider.ts';
import { type Behaviour, UnrulyProvider } from '../../test/unruly-provider.ts';
import { LocalExtractive } from '../local/local-extractive.ts';
import { GenerationFailed } from '../providers/generation-failed.ts';
import { type Asker, type Begin, ModelRouter, type Routed, type RoutedModel, TRIES_OF_A_MODEL } from './model-router.ts';
import { type GateLimits, ProviderGate } from './provider-gate.ts';

const hello: Behaviour = { does: 'answer', text: ['Hel', 'lo'], usage: { input: 10, output: 2 } };
const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
const LIMITS: GateLimits = { atOnce: 100, firstTokenMillis: 30_000, nextTokenMillis: 30_000 };

interface Answer {
  readonly begin: Begin | null;
  readonly text: string;
  readonly last: Routed | null;
  readonly error: GenerationFailed | Error | null;
}

async function collected(answer: AsyncIterable<Routed>): Promise<Answer> {
  let [begin, last, text]: [Begin | null, Routed | null, string] = [null, null, ''];
  try {
    for await (const part of answer) {
      last = part;
      if (part.type === 'begin') begin = part;
      if (part.type === 'text') text += part.text;
    }
  } catch (error) {
    return { begin, text, last, error: error as Error };
  }
  return { begin, text, last, error: null };
}

describe('the router of models', () => {
  /** Two providers, each with a model; the first falls back to the second. */
  let [first, second]: UnrulyProvider[] = [] as never;
  let gates: ProviderGate[] = [];
  beforeEach(async () => {
    [first, second] = [await UnrulyProvider.open(), await UnrulyProvider.open()];
    for (const provider of [first, second]) provider.behave = () => hello;
  });
  afterEach(async () => {
    for (const gate of gates.splice(0)) gate.close();
    await first!.close();
    await second!.close();
  });

  const routing = ({
    fallbacks = [],
    limits = {},
    tryAgainMillis,
  }: { fallbacks?: string[]; limits?: Partial<GateLimits>; tryAgainMillis?: number } = {}) => {
    const entries = [
      ['one', first!, fallbacks],
      ['two', second!, []],
    ] as const;
    const models = entries.map(([id, { url }, others]) => {
      const provider = new ProviderGate(`provider-${id}`, { ...LIMITS, ...limits }, tryAgainMillis);
      gates.push(provider);
      return [id, { id, provider, providerModel: `model-${id}`, chat: openProvider('openai_compatible', url), fallbacks: others }] as const;
    });
    const router = new ModelRouter(new Map(models));
    const ask = (more: Partial<Asker> = {}, model = 'one') =>
      collected(router.generate(model, promptOf(), { userId: 'ann', signal: new AbortController().signal, ...more }));
    return { ask, gate: models[0]![1].provider, router };
  };
  /** Behaves like this for the first calls, then answers. */
  const firstly = (...behaviours: Behaviour[]) => {
    first!.behave = () => behaviours.shift() ?? hello;
  };
  const refuse = (status: number, retryAfter?: string): Behaviour => ({
    does: 'refuse',
    status,
    ...(retryAfter !== undefined && { retryAfter }),
  });

  it('tells of each call to a provider', async () => {
    firstly(refuse(503));
    let calls = 0;
    const { text } = await routing().ask({ onCall: () => void calls++ });
    expect([text, calls]).toEqual(['Hello', 2]);
  });
  it('says which model answers before the answer', async () => {
    const { begin, text, last } = await routing().ask();
    expect(begin).toEqual({ type: 'begin', model: 'one', provider: 'provider-one', providerModel: 'model-one', tries: 1, charges: [] });
    expect([text, last]).toMatchObject(['Hello', { type: 'end', stopReason: 'end_turn', usage, requestId: 'request-1' }]);
  });

  it('calls a model of this process, as a fallback too', async () => {
    const provider = new ProviderGate('here', LIMITS);
    gates.push(provider);
    const local = { id: 'local', provider, providerModel: 'local', chat: new LocalExtractive(), fallbacks: [], isLocal: true };
    const chat = openProvider('openai_compatible', first!.url);
    const one = { ...local, id: 'one', chat, fallbacks: ['local'], isLocal: false };
    const router = new ModelRouter(new Map<string, RoutedModel>(Object.entries({ one, local })));
    first!.behave = () => refuse(401);
    let calls = 0;
    const asker = { userId: 'ann', signal: new AbortController().signal, onCall: () => void calls++ };
    const answer = await collected(router.generate('one', promptOf(), asker));
    expect(answer).toMatchObject({ begin: { model: 'local', tries: 2 }, error: null, text: expect.stringContaining('offline model') });
    // Else its tokens would not be counted.
    expect(calls).toBe(2);
  });

  describe('when a call fails before its first token', () => {
    it.each([refuse(500), refuse(529), refuse(429), { does: 'break', after: 'nothing' }, { does: 'break', after: 0 }] as const)(
      'calls again (%j)',
      async (behaviour) => {
        firstly(behaviour, behaviour);
        const { begin, text } = await routing().ask();
        expect([begin?.tries, text]).toEqual([3, 'Hello']);
      },
    );
    it('waits as long as the provider asks', async () => {
      firstly(refuse(429, '1'));
      const began = performance.now();
      expect((await routing().ask()).text).toBe('Hello');
      expect(performance.now() - began).toBeGreaterThanOrEqual(999);
    });
    it('gives up when the provider asks for a long wait', async () => {
      first!.behave = () => refuse(429, '3000');
      expect((await routing().ask()).error).toMatchObject({ code: 'provider_busy', retryAfterSeconds: 3000 });
      expect(first!.ledger.calls).toBe(1);
    });
    it('gives up after a bounded number of calls', async () => {
      first!.behave = () => refuse(500);
      expect((await routing().ask()).error).toMatchObject({ code: 'provider_unavailable', usage: null, charges: [] });
      expect(first!.ledger.calls).toBe(TRIES_OF_A_MODEL);
    });
    it.each([400, 401])('does not call again what fails again (%d)', async (status) => {
      first!.behave = () => refuse(status);
      expect((await routing().ask()).error).toBeInstanceOf(GenerationFailed);
      expect(first!.ledger.calls).toBe(1);
    });
    it('tells what the failed calls may cost', async () => {
      firstly({ does: 'break', after: 0 });
      const { begin } = await routing().ask();
      expect(begin?.charges).toEqual([{ model: 'one', usage: expect.objectContaining({ outputTokens: 0, estimated: true }) }]);
    });
  });

  it('does not call again when an answer breaks off behind its first token', async () => {
    firstly({ does: 'break', after: 2 });
    const { text, error } = await routing({ fallbacks: ['two'] }).ask();
    expect([text, first!.ledger.calls, second!.ledger.calls]).toEqual(['word word ', 1, 0]);
    expect(error).toMatchObject({ code: 'stream_broken', charges: [{ model: 'one', usage: { estimated: true } }] });
  });

  describe('a fallback', () => {
    it('is called once, also when it is named twice', async () => {
      for (const provider of [first!, second!]) provider.behave = () => refuse(401);
      expect((await routing({ fallbacks: ['two', 'two'] }).ask()).error).toMatchObject({ code: 'provider_misconfigured' });
      expect(second!.calls).toHaveLength(1);
    });
    it('is called at once where the provider asks for more than a second', async () => {
      first!.behave = () => refuse(429, '2');
      const { begin } = await routing({ fallbacks: ['two'] }).ask();
      expect([begin?.model, begin?.tries]).toEqual(['two', 2]);
    });
    it.each([refuse(500), refuse(401), refuse(429, '60'), { does: 'send rubbish' }] as const)(
      'answers when the model fails (%j)',
      async (behaviour) => {
        first!.behave = () => behaviour;
        const { begin, text } = await routing({ fallbacks: ['two'] }).ask();
        expect([begin?.model, begin?.provider, text]).toEqual(['two', 'provider-two', 'Hello']);
        expect(begin?.tries).toBe(first!.ledger.calls + 1);
      },
    );
    it('is not called for a request that is wrong', async () => {
      first!.behave = () => refuse(400);
      expect((await routing({ fallbacks: ['two'] }).ask()).error).toMatchObject({ code: 'request_refused' });
      expect(second!.ledger.calls).toBe(0);
    });
    it('is not called where it is not allowed', async () => {
      first!.behave = () => refuse(401);
      expect((await routing({ fallbacks: ['two'] }).ask({ allows: (id) => id !== 'two' })).error).toMatchObject({
        code: 'provider_misconfigured',
      });
      expect(second!.ledger.calls).toBe(0);
    });
    it('is left out where the catalogue does not have it', async () =>
      expect((await routing({ fallbacks: ['gone', 'one', 'two'] }).ask()).text).toBe('Hello'));
  });

  describe('a provider that is silent', () => {
    it.each(['nothing', 0] as const)('is given up before its first token, and the fallback answers (%j)', async (after) => {
      first!.behave = () => ({ does: 'hang', after });
      const { begin, text } = await routing({ fallbacks: ['two'], limits: { firstTokenMillis: 1_000 } }).ask();
      expect([begin?.model, begin?.charges[0]?.model, text]).toEqual(['two', 'one', 'Hello']);
      await first!.calls[0]!.closed;
    });
    it('is given up between two tokens, with the usage so far', async () => {
      first!.behave = () => ({ does: 'hang', after: 3 });
      const { text, error } = await routing({ limits: { nextTokenMillis: 500 } }).ask();
      expect(text).toBe('word word word ');
      expect(error).toMatchObject({ code: 'provider_timed_out', usage: { estimated: true, outputTokens: expect.any(Number) } });
      await first!.calls[0]!.closed;
    });
    /** A model that looks at its signal before each part. */
    const watching = (nextTokenMillis: number) => {
      const provider = new ProviderGate('watching', { ...LIMITS, nextTokenMillis });
      gates.push(provider);
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
      let text = '';
      for await (const part of watching(100).answer) {
        if (part.type !== 'text') continue;
        text += part.text;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      expect(text).toBe('ab');
    });
    it('is called no further when the answer is not wanted any more, and its turn ends', async () => {
      const { answer, seen, provider } = watching(30_000);
      for await (const part of answer) if (part.type === 'text') break;
      expect([seen.hasEnded, provider.turns.numbers.running]).toEqual([true, 0]);
    });
  });

  describe('the breaker', () => {
    const failing = async (ask: () => Promise<Answer>, calls: number) => {
      first!.behave = () => refuse(503, '60');
      for (let call = 0; call < calls; call++) await ask();
    };
    it('opens at half of at least ten calls, and then calls fail at once', async () => {
      const { ask, gate } = routing();
      for (let call = 0; call < 5; call++) await ask();
      await failing(ask, 4);
      expect(gate.state).toBe('closed');
      await failing(ask, 1);
      expect(gate.state).toBe('open');
      const before = first!.ledger.calls;
      expect((await ask()).error).toMatchObject({ code: 'provider_paused', isRetryable: false });
      expect(first!.ledger.calls).toBe(before);
    });
    it('lets the fallback answer at once', async () => {
      const { ask } = routing({ fallbacks: ['two'] });
      await failing(ask, 10);
      const before = first!.ledger.calls;
      expect((await ask()).begin?.model).toBe('two');
      expect(first!.ledger.calls).toBe(before);
    });
    it('of one provider does not concern the others', async () => {
      const { ask } = routing();
      await failing(ask, 10);
      expect((await ask({}, 'two')).text).toBe('Hello');
    });
    it('closes when a later call succeeds', async () => {
      const { ask, gate } = routing({ tryAgainMillis: 50 });
      await failing(ask, 10);
      await waitFor(() => gate.state === 'half_open', { what: 'the breaker to let a call through' });
      first!.behave = () => hello;
      expect((await ask()).text).toBe('Hello');
      expect(gate.state).toBe('closed');
    });
    it.each([400, 401])('does not count what the provider is not to blame for (%d)', async (status) => {
      const { ask, gate } = routing();
      first!.behave = () => refuse(status);
      for (let call = 0; call < 12; call++) await ask();
      expect(gate.state).toBe('closed');
    });
    it('counts answers that break off', async () => {
      const { ask, gate } = routing();
      first!.behave = () => ({ does: 'break', after: 1 });
      for (let call = 0; call < 10; call++) await ask();
      expect(gate.state).toBe('open');
    });
    it('does not count calls that were cancelled', async () => {
      const { ask, gate } = routing();
      first!.behave = () => ({ does: 'hang', after: 'nothing' });
      for (let call = 0; call < 12; call++) {
        const stop = new AbortController();
        const arrived = first!.nextCall();
        const answer = ask({ signal: stop.signal });
        await arrived;
        stop.abort(new Error('enough'));
        await answer;
      }
      expect(gate.state).toBe('closed');
    });
  });

  describe('when its signal is aborted', () => {
    it('ends the call to the provider', async () => {
      first!.behave = () => ({ does: 'hang', after: 2 });
      const stop = new AbortController();
      const arrived = first!.nextCall();
      const answer = routing({ fallbacks: ['two'] }).ask({ signal: stop.signal });
      const call = await arrived;
      stop.abort(new Error('enough'));
      expect((await answer).error).toEqual(new Error('enough'));
      await call.closed;
      expect(second!.ledger.calls).toBe(0);
    });
    it('ends the wait for another call', async () => {
      first!.behave = () => refuse(503, '9');
      const stop = new AbortController();
      const arrived = first!.nextCall();
      const answer = routing().ask({ signal: stop.signal });
      await (
        await arrived
      ).closed;
      setTimeout(() => stop.abort(new Error('enough')), 20);
      expect((await answer).error).toEqual(new Error('enough'));
    });
  });

  it('lets the first call of a user begin while another user has many', async () => {
    first!.behave = ({ body }) => (JSON.stringify(body).includes('quick') ? hello : { does: 'hang', after: 1 });
    const { router } = routing({ limits: { atOnce: 4 } });
    const stop = new AbortController();
    const many = Array.from({ length: 100 }, () => collected(router.generate('one', promptOf(), { userId: 'ann', signal: stop.signal })));
    const asked = router.generate('one', promptOf({ question: 'quick' }), { userId: 'ben', signal: new AbortController().signal });
    expect((await collected(asked)).text).toBe('Hello');
    expect(first!.ledger.calls).toBe(4);
    stop.abort(new Error('enough'));
    await Promise.all(many);
  });
});
