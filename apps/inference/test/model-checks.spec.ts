import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ModelChecked } from '@parlance/contracts';
import { type Behaviour, UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { freePort } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { ModelChecks } from '../src/workflows/checks/model-checks.ts';

const price = { from: '2026-01-01T00:00:00Z', input: 1, output: 2 };
const KEY = 'canary-key-of-the-provider';

describe('a check of a model', () => {
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;
  let app: NestFastifyApplication;
  const check = (id: string, group = 'Admin') => request(service.server).post(`/admin/models/${id}/check`).set(service.as('root', group));
  /** The events published about checks so far. */
  const published = async () =>
    (await service.published<ModelChecked>()).filter(({ type }) => type.endsWith('model-checked.v1')).map(({ data }) => data);
  const newest = async () => (await published()).at(-1)!;

  beforeAll(async () => {
    provider = await UnrulyProvider.open();
    const closed = `http://127.0.0.1:${await freePort()}/v1`;
    const models = {
      extends: 'builtin',
      providers: {
        ours: { type: 'openai_compatible', base_url: provider.url, api_key: KEY },
        gone: { type: 'openai_compatible', base_url: closed },
        keyless: { type: 'anthropic' },
      },
      models: [
        { id: 'works', provider: 'ours', model: 'large', prices: [price], fallbacks: ['local-extractive'] },
        { id: 'unreachable', provider: 'gone', model: 'large', prices: [price], fallbacks: ['works'] },
        { id: 'no-key', provider: 'keyless', model: 'large' },
        { id: 'vectors', provider: 'ours', model: 'embed', capabilities: ['embedding'] },
      ],
    };
    const watched = { ...inference, install: (started: NestFastifyApplication) => void (app = started) };
    service = await serviceUnderTest(watched, { PARLANCE_MODELS: JSON.stringify(models) });
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  it('makes one short call, and charges it to the administrator', async () => {
    provider.behave = () => ({ does: 'answer', text: ['yes'], usage: { input: 10, output: 1 } });
    const { status, body } = await check('works');
    expect([status, body]).toEqual([200, { ok: true, latency_ms: expect.any(Number), error: null }]);
    expect(provider.calls).toHaveLength(1);
    expect(provider.calls[0]!.body).toMatchObject({ model: 'large', max_tokens: 16 });
    expect(await newest()).toMatchObject({
      model: 'works',
      user_id: 'root',
      bot_id: null,
      failure: null,
      usage: { input_tokens: 10, output_tokens: 1 },
      cost_nano_dollars: 12_000,
    });
  });
  it('works for the offline model, which costs nothing', async () => {
    expect((await check('local-extractive')).body).toMatchObject({ ok: true, error: null });
    expect((await newest()).cost_nano_dollars).toBe(0);
  });
  it.each<[string, Behaviour, string, RegExp]>([
    [
      'refuses the key',
      { does: 'refuse', status: 401, body: KEY },
      'key_refused',
      /^The provider ours refuses the credentials\. It answered 401\./,
    ],
    ['does not know the model', { does: 'refuse', status: 404 }, 'model_unknown', /does not know the model large\./],
    [
      'redirects to another address',
      { does: 'redirect', to: 'http://127.0.0.1:9/' },
      'address_redirects',
      /Set base_url of models\.providers\.ours/,
    ],
    ['refuses the request', { does: 'refuse', status: 400, body: KEY }, 'request_refused', /It answered 400\./],
    ['is overloaded', { does: 'refuse', status: 429 }, 'provider_busy', /It answered 429\./],
    ['fails', { does: 'refuse', status: 500 }, 'provider_failed', /It answered 500\./],
    ['sends an answer that cannot be read', { does: 'send rubbish' }, 'answer_invalid', /cannot be read/],
  ])('reports that the provider %s, after one call', async (_, behaviour, code, message) => {
    provider.behave = () => behaviour;
    const before = provider.calls.length;
    const { status, body } = await check('works');
    expect([status, body.ok, body.error.code, provider.calls.length - before]).toEqual([200, false, code, 1]);
    expect(body.error.message).toMatch(message);
    expect(JSON.stringify(body)).not.toContain(KEY);
    expect((await newest()).failure).toBe(code);
  });
  it('reports that the address cannot be reached, and charges nothing', async () => {
    const { body } = await check('unreachable');
    expect(body).toMatchObject({ ok: false, error: { code: 'not_reached' } });
    expect(body.error.message).not.toContain('127.0.0.1');
    expect(await newest()).toMatchObject({ model: 'unreachable', failure: 'not_reached', cost_nano_dollars: 0 });
  });
  it('charges the cost of an interrupted call', async () => {
    provider.behave = () => ({ does: 'break', after: 1 });
    expect((await check('works')).body).toMatchObject({ ok: false, error: { code: 'answer_invalid' } });
    const { usage, cost_nano_dollars: cost } = await newest();
    expect(usage).toMatchObject({ input_tokens: expect.any(Number), estimated: true });
    expect([usage.input_tokens > 0, usage.output_tokens > 0, cost]).toEqual([
      true,
      true,
      usage.input_tokens * 1_000 + usage.output_tokens * 2_000,
    ]);
  });
  it('ends the call of a provider that does not answer in time', async () => {
    const checks = app.get(ModelChecks);
    const { longestMillis } = checks;
    checks.longestMillis = 200;
    provider.behave = () => ({ does: 'hang', after: 'nothing' });
    const arrived = provider.nextCall();
    expect((await check('works')).body).toMatchObject({ ok: false, error: { code: 'timed_out' } });
    await (
      await arrived
    ).closed;
    checks.longestMillis = longestMillis;
    expect(longestMillis).toBe(15_000);
  });
  it.each([
    ['no-key', 'no_credentials', 'Set them under models.providers.keyless in the configuration, and start Parlance again.'],
    ['vectors', 'not_for_chat', 'Check an embedding model with a search in the knowledge of a bot'],
  ])('calls no provider for %s', async (id, code, hint) => {
    const before = provider.calls.length;
    const { body } = await check(id);
    expect([body.ok, body.latency_ms, body.error.code, provider.calls.length]).toEqual([false, null, code, before]);
    expect(body.error.message).toContain(hint);
  });
  it('is only for administrators and models of the catalogue, and is recorded once each', async () => {
    const before = (await published()).length;
    expect((await check('works', 'PublishAllowed')).status).toBe(403);
    expect((await check('unknown')).body.code).toBe('model_not_found');
    await check('no-key');
    expect((await published()).length).toBe(before + 1);
  });
});
