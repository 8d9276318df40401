import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance } from '@parlance/client';
import { oneProcess, type Product, waitFor } from '@parlance/testing';
import OpenAI from 'openai';
import { admin, environment } from './deployment.ts';
import { FailingProvider, type Model } from './failing-provider.ts';

const QUOTA = 100;
/** The SDK cancels a try after this time. All other waits of the tests are much shorter. */
const PATIENCE = 1_500;

/** A published bot, and its caller. */
interface Caller {
  readonly botId: string;
  readonly endpoint: string;
  readonly key: string;
}

/** The cost of one question. */
interface Cost {
  readonly conversations: number;
  readonly quota: number;
  readonly dollars: number;
  readonly calls: number;
}

/** The costs in dollars of a complete and of a broken reply. The product counts the tokens of a broken reply itself. */
const [ANSWERED, BROKEN] = [0.00021, 0.000039];
const ONCE: Cost = { conversations: 1, quota: 1, dollars: ANSWERED, calls: 1 };

describe('a question that the SDK of OpenAI repeats automatically', () => {
  const provider = new FailingProvider();
  let product: Product;
  let root: Parlance;
  let adminId: string;

  beforeAll(async () => {
    product = await oneProcess({ ...environment, PARLANCE_MODELS: await provider.start() });
    root = new Parlance({ baseUrl: product.url });
    ({ user_id: adminId } = await root.session.signIn(admin.email, admin.password));
  });
  afterAll(async () => {
    await product.stop();
    await provider.stop();
  });

  async function published(): Promise<Caller> {
    const { id } = await root.bots.create({ title: 'Asked by SDKs' });
    await root.bots.share(id, { target_shared_scope: 'all' });
    const { endpoint } = await root.bots.publish(id, { allowed_origins: ['*'], quota: { limit: QUOTA, period: 'MONTH' } });
    return { botId: id, endpoint: endpoint!, key: (await root.bots.createKey(id, { description: 'Test' })).value };
  }

  /** The SDK with a shorter timeout. Its `fetch` counts the tries. */
  function sdkOf({ endpoint, key }: Caller, more: ConstructorParameters<typeof OpenAI>[0] = {}) {
    const tries: Response[] = [];
    let startedTries = 0;
    const counting: typeof fetch = async (...request) => {
      startedTries++;
      const answer = await fetch(...request);
      tries.push(answer);
      return answer;
    };
    const client = new OpenAI({ apiKey: key, baseURL: `${endpoint}/v1`, timeout: PATIENCE, fetch: counting, ...more });
    return { client, tries, begun: () => startedTries };
  }

  const ask = (client: OpenAI, model: Model, stream = false) =>
    stream
      ? streamed(client, model)
      : client.chat.completions
          .create({ model, messages: [{ role: 'user', content: 'Is it?' }] })
          .then((completion) => completion.choices[0]!.message.content);
  async function streamed(client: OpenAI, model: Model): Promise<string> {
    let text = '';
    const stream = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Is it?' }], stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    return text;
  }

  async function costOf({ botId, endpoint, key }: Caller, { calls, dollars }: Pick<Cost, 'calls' | 'dollars'>): Promise<Cost> {
    const headers = { 'x-api-key': key };
    const remainingRequests = async () => Number((await fetch(`${endpoint}/v1/models`, { headers })).headers.get('x-ratelimit-remaining'));
    const conversations = async () =>
      (await root.api.get('/admin/users/{userId}/conversations', { path: { userId: adminId } })).conversations.filter(
        ({ bot_id }) => bot_id === botId,
      );
    const spent = async () => (await root.api.get('/admin/costs/bots/{botId}', { path: { botId } })).total_cost;
    await waitFor(async () => (await spent()) >= dollars, { what: 'the charges' });
    return { conversations: (await conversations()).length, quota: QUOTA - (await remainingRequests()), dollars: await spent(), calls };
  }

  it.each<Model>(['breaks', 'refuses', 'resets'])('costs the same as a question without a repeat, if the provider %s', async (how) => {
    const costs: Cost[] = [];
    for (const more of [{ maxRetries: 0 }, {}]) {
      const caller = await published();
      const before = provider.calls;
      await expect(ask(sdkOf(caller, { ...more, timeout: 60_000 }).client, how)).rejects.toMatchObject({ status: 503 });
      costs.push(await costOf(caller, { calls: provider.calls - before, dollars: how === 'breaks' ? BROKEN : 0 }));
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]).toMatchObject({ conversations: 1, quota: 1 });
  });

  it('is not repeated when its stream breaks', async () => {
    const caller = await published();
    const before = provider.calls;
    const { client, begun: startedTries } = sdkOf(caller, { timeout: 60_000 });
    await expect(ask(client, 'breaks', true)).rejects.toMatchObject({ code: expect.any(String) });
    expect(startedTries()).toBe(1);
    expect(await costOf(caller, { calls: provider.calls - before, dollars: BROKEN })).toEqual({ ...ONCE, dollars: BROKEN });
  });

  it.each([
    ['a whole answer', false],
    ['a stream', true],
  ])('is answered once, if the connection is reset before %s of a provider that hangs', async (_, stream) => {
    const caller = await published();
    const before = provider.calls;
    const { client, lost } = withheld(caller);
    const asking = ask(client, 'hangs', stream);
    await lost;
    await waitFor(() => provider.waiting === 1, { what: 'the provider to hang' });
    provider.release();
    expect(await asking).toBe('Yes, indeed.');
    expect(await costOf(caller, { calls: provider.calls - before, dollars: ANSWERED })).toEqual(ONCE);
  });

  // A stream begins at once, so the SDK does not cancel it before its first bytes.
  it('is answered once, if the SDK times out before the complete answer of a provider that hangs', async () => {
    const caller = await published();
    const { client, begun: startedTries } = sdkOf(caller);
    const before = provider.calls;
    const asking = ask(client, 'hangs');
    await waitFor(() => provider.waiting === 1 && startedTries() === 2, { what: 'the repeat' });
    provider.release();
    expect(await asking).toBe('Yes, indeed.');
    expect(await costOf(caller, { calls: provider.calls - before, dollars: ANSWERED })).toEqual(ONCE);
  });

  /** Resets the connection of the first try after the provider has been called, so that the answer is lost. */
  function withheld(caller: Caller) {
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    let tries = 0;
    const losing: typeof fetch = async (input, init) => {
      if (++tries > 1) return fetch(input, init);
      const leaving = new AbortController();
      const first = fetch(input, { ...init, signal: leaving.signal }).catch(() => undefined);
      const before = provider.calls;
      await waitFor(() => provider.calls > before, { what: 'the call of the provider' });
      leaving.abort();
      await first;
      resolve();
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
    };
    return { ...sdkOf(caller, { fetch: losing, timeout: 60_000 }), lost };
  }

  it('fails like the first try, if the answer to the first try was lost and its reply has failed', async () => {
    const caller = await published();
    const before = provider.calls;
    const { client } = withheld(caller);
    const error = await ask(client, 'breaks').then(
      () => null,
      (failure: unknown) => failure as InstanceType<typeof OpenAI.APIError>,
    );
    expect(error).toMatchObject({ status: 503, code: 'recorded_not_visible' });
    expect(error!.headers!.get('x-should-retry')).toBe('false');
    expect(await costOf(caller, { calls: provider.calls - before, dollars: BROKEN })).toMatchObject({ ...ONCE, dollars: BROKEN });
  });

  it('is also answered once at the responses endpoint', async () => {
    const caller = await published();
    const before = provider.calls;
    const { client, lost } = withheld(caller);
    const asking = client.responses.create({ model: 'hangs', input: 'Is it?' });
    await lost;
    await waitFor(() => provider.waiting === 1, { what: 'the provider to hang' });
    provider.release();
    expect((await asking).output_text).toBe('Yes, indeed.');
    expect(await costOf(caller, { calls: provider.calls - before, dollars: ANSWERED })).toEqual(ONCE);
  });

  it('is a new question if the application sends it again', async () => {
    const caller = await published();
    const { client } = sdkOf(caller);
    for (let index = 0; index < 2; index++) await ask(client, 'answers');
    expect(await costOf(caller, { calls: 2, dollars: 2 * ANSWERED })).toEqual({
      conversations: 2,
      quota: 2,
      dollars: 2 * ANSWERED,
      calls: 2,
    });
  });
});
