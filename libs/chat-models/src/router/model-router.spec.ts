import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { promptOf } from '../../test/collected.ts';
import { openProvider } from '../../test/open-provider.ts';
import { LocalExtractive } from '../local/local-extractive.ts';
import { GenerationFailed } from '../providers/generation-failed.ts';
import { ModelRouter, type RoutedModel, TRIES_OF_A_MODEL } from './model-router.ts';
import { ProviderGate } from './provider-gate.ts';
import { collected, hello, LIMITS, refuse, RoutedProviders, usage } from '../../test/routed-providers.ts';

describe('the router of models', () => {
  const providers = new RoutedProviders();
  beforeEach(() => providers.open());
  afterEach(() => providers.close());

  it('reports each call to a provider', async () => {
    providers.firstly(refuse(503));
    let calls = 0;
    const { text } = await providers.routing().ask({ onCall: () => void calls++ });
    expect([text, calls]).toEqual(['Hello', 2]);
  });
  it('names the answering model before the answer', async () => {
    const { begin, text, last } = await providers.routing().ask();
    expect(begin).toEqual({ type: 'begin', model: 'one', provider: 'provider-one', providerModel: 'model-one', tries: 1, charges: [] });
    expect([text, last]).toMatchObject(['Hello', { type: 'end', stopReason: 'end_turn', usage, requestId: 'request-1' }]);
  });

  it('calls a model of this process, also as a fallback', async () => {
    const provider = new ProviderGate('here', LIMITS);
    providers.gates.push(provider);
    const local = { id: 'local', provider, providerModel: 'local', chat: new LocalExtractive(), fallbacks: [], isLocal: true };
    const chat = openProvider('openai_compatible', providers.first.url);
    const one = { ...local, id: 'one', chat, fallbacks: ['local'], isLocal: false };
    const router = new ModelRouter(new Map<string, RoutedModel>(Object.entries({ one, local })));
    providers.first.behave = () => refuse(401);
    let calls = 0;
    const asker = { userId: 'ann', signal: new AbortController().signal, onCall: () => void calls++ };
    const answer = await collected(router.generate('one', promptOf(), asker));
    expect(answer).toMatchObject({ begin: { model: 'local', tries: 2 }, error: null, text: expect.stringContaining('offline model') });
    // Otherwise its tokens would not be counted.
    expect(calls).toBe(2);
  });

  describe('after a call fails before its first token', () => {
    it.each([refuse(500), refuse(529), refuse(429), { does: 'break', after: 'nothing' }, { does: 'break', after: 0 }] as const)(
      'calls again (%j)',
      async (behaviour) => {
        providers.firstly(behaviour, behaviour);
        const { begin, text } = await providers.routing().ask();
        expect([begin?.tries, text]).toEqual([3, 'Hello']);
      },
    );
    it('waits as long as the provider requests', async () => {
      providers.firstly(refuse(429, '1'));
      expect((await providers.routing().ask()).text).toBe('Hello');
      expect(providers.pauses).toEqual([1_000]);
    });
    it('gives up if the provider requests a long wait', async () => {
      providers.first.behave = () => refuse(429, '3000');
      expect((await providers.routing().ask()).error).toMatchObject({ code: 'provider_busy', retryAfterSeconds: 3000 });
      expect(providers.first.ledger.calls).toBe(1);
    });
    it('gives up after a bounded number of calls', async () => {
      providers.first.behave = () => refuse(500);
      expect((await providers.routing().ask()).error).toMatchObject({ code: 'provider_unavailable', usage: null, charges: [] });
      expect(providers.first.ledger.calls).toBe(TRIES_OF_A_MODEL);
    });
    it.each([400, 401])('does not retry permanent failures (%d)', async (status) => {
      providers.first.behave = () => refuse(status);
      expect((await providers.routing().ask()).error).toBeInstanceOf(GenerationFailed);
      expect(providers.first.ledger.calls).toBe(1);
    });
    it('reports what the failed calls may cost', async () => {
      providers.firstly({ does: 'break', after: 0 });
      const { begin } = await providers.routing().ask();
      expect(begin?.charges).toEqual([{ model: 'one', usage: expect.objectContaining({ outputTokens: 0, estimated: true }) }]);
    });
  });

  it('does not call again if an answer ends too early after its first token', async () => {
    providers.firstly({ does: 'break', after: 2 });
    const { text, error } = await providers.routing({ fallbacks: ['two'] }).ask();
    expect([text, providers.first.ledger.calls, providers.second.ledger.calls]).toEqual(['word word ', 1, 0]);
    expect(error).toMatchObject({ code: 'stream_broken', charges: [{ model: 'one', usage: { estimated: true } }] });
  });

  describe('a fallback', () => {
    it('is called once, even if it is named twice', async () => {
      for (const provider of [providers.first, providers.second]) provider.behave = () => refuse(401);
      expect((await providers.routing({ fallbacks: ['two', 'two'] }).ask()).error).toMatchObject({ code: 'provider_misconfigured' });
      expect(providers.second.calls).toHaveLength(1);
    });
    it('is called at once if the provider requests a wait of more than a second', async () => {
      providers.first.behave = () => refuse(429, '2');
      const { begin } = await providers.routing({ fallbacks: ['two'] }).ask();
      expect([begin?.model, begin?.tries]).toEqual(['two', 2]);
    });
    it('is not called if the provider requests a wait of a second', async () => {
      providers.firstly(refuse(429, '1'));
      expect((await providers.routing({ fallbacks: ['two'] }).ask()).begin).toMatchObject({ model: 'one', tries: 2 });
    });
    it.each([refuse(500), refuse(401), refuse(429, '60'), { does: 'send rubbish' }] as const)(
      'answers if the model fails (%j)',
      async (behaviour) => {
        providers.first.behave = () => behaviour;
        const { begin, text } = await providers.routing({ fallbacks: ['two'] }).ask();
        expect([begin?.model, begin?.provider, text]).toEqual(['two', 'provider-two', 'Hello']);
        expect(begin?.tries).toBe(providers.first.ledger.calls + 1);
      },
    );
    it('is not called for an invalid request', async () => {
      providers.first.behave = () => refuse(400);
      expect((await providers.routing({ fallbacks: ['two'] }).ask()).error).toMatchObject({ code: 'request_refused' });
      expect(providers.second.ledger.calls).toBe(0);
    });
    it('is not called if it is not allowed', async () => {
      providers.first.behave = () => refuse(401);
      expect((await providers.routing({ fallbacks: ['two'] }).ask({ allows: (id) => id !== 'two' })).error).toMatchObject({
        code: 'provider_misconfigured',
      });
      expect(providers.second.ledger.calls).toBe(0);
    });
    it('is left out if it is not in the catalogue', async () =>
      expect((await providers.routing({ fallbacks: ['gone', 'one', 'two'] }).ask()).text).toBe('Hello'));
  });

  describe('after its signal is aborted', () => {
    it('ends the call to the provider', async () => {
      providers.first.behave = () => ({ does: 'hang', after: 2 });
      const stop = new AbortController();
      const arrived = providers.first.nextCall();
      const answer = providers.routing({ fallbacks: ['two'] }).ask({ signal: stop.signal });
      const call = await arrived;
      stop.abort(new Error('enough'));
      expect((await answer).error).toEqual(new Error('enough'));
      await call.closed;
      expect(providers.second.ledger.calls).toBe(0);
    });
    it('ends the wait for another call', async () => {
      providers.first.behave = () => refuse(503, '9');
      const stop = new AbortController();
      const arrived = providers.first.nextCall();
      const answer = providers.routing({ pauses: true }).ask({ signal: stop.signal });
      await (
        await arrived
      ).closed;
      setTimeout(() => stop.abort(new Error('enough')), 20);
      expect((await answer).error).toEqual(new Error('enough'));
    });
  });

  it('starts the first call of a user while another user has many', async () => {
    providers.first.behave = ({ body }) => (JSON.stringify(body).includes('quick') ? hello : { does: 'hang', after: 1 });
    const { router } = providers.routing({ limits: { atOnce: 4 } });
    const stop = new AbortController();
    const many = Array.from({ length: 100 }, () => collected(router.generate('one', promptOf(), { userId: 'ann', signal: stop.signal })));
    const asked = router.generate('one', promptOf({ question: 'quick' }), { userId: 'ben', signal: new AbortController().signal });
    expect((await collected(asked)).text).toBe('Hello');
    expect(providers.first.ledger.calls).toBe(4);
    stop.abort(new Error('enough'));
    await Promise.all(many);
  });
});
