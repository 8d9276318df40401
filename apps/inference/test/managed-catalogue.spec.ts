import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { Config } from '@parlance/config';
import { refuse, UnknownEvent } from '@parlance/decider';
import { EventStore } from '@parlance/event-store';
import { Streams, Timers } from '@parlance/foundation';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { Logger } from '@parlance/observability';
import { type SubjectKeys, Vault } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { ModelProvidersLifecycle } from '../src/adapters/model-providers-lifecycle.ts';
import { Catalogue } from '../src/adapters/pricing/catalogue.ts';
import { ModelPrices } from '../src/adapters/pricing/model-prices.ts';
import { schedule } from '../src/schedule.ts';
import { inference } from '../src/service.ts';
import { CallTargets } from '../src/workflows/calls/routes/call-targets.ts';
import { CatalogueReader } from '../src/workflows/catalogue/catalogue-reader.ts';
import { filesWith } from './files-with.ts';

/** The harness takes classes that can be constructed. */
const EVENTS = EventStore as unknown as new () => EventStore;

const silent = { error: () => undefined } as unknown as Logger;

const KEY = 'canary-key-of-an-added-provider';
const price = { from: '2026-01-01T00:00:00Z', input: 1, output: 2 };

/** Lists models as a provider does, and answers their calls by another server. */
class ListingProvider {
  readonly seen: IncomingHttpHeaders[] = [];
  answer: { status: number; body: string } = { status: 200, body: '{"data":[]}' };
  private readonly server: Server = createServer((asked, reply) => {
    this.seen.push(asked.headers);
    reply.writeHead(this.answer.status, { 'content-type': 'application/json' }).end(this.answer.body);
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

describe('a catalogue that administrators change while Parlance runs', () => {
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;
  let replica: Catalogue;
  const listing = new ListingProvider();
  let listingUrl: string;

  const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, user = 'root') => {
    const sending = request(service.server)[method](path);
    return sending.set(service.as(user, ...(user === 'root' ? ['Admin'] : [])));
  };
  const add = async (kind: 'providers' | 'models' | 'routes', body: object) => {
    const answer = await call('post', `/admin/${kind}`).send(body);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ read_only: false, source: 'managed' })]);
    return answer;
  };
  const list = async (kind: 'providers' | 'models' | 'routes') => (await call('get', `/admin/${kind}`)).body[kind] as { id: string }[];
  const published = async () =>
    (await request(service.server).get('/internal/published?after=0').set(service.asService('analytics'))).body.events as {
      type: string;
      data: Record<string, unknown>;
    }[];

  beforeAll(async () => {
    [provider, listingUrl] = [await UnrulyProvider.open(), await listing.open()];
    const models = {
      extends: 'builtin',
      providers: { fixed: { type: 'openai_compatible', base_url: 'http://127.0.0.1:9/v1', api_key: KEY } },
      models: [{ id: 'fixed-model', provider: 'fixed', model: 'x', prices: [price] }],
      routes: [{ id: 'fixed-route', targets: [{ model: 'fixed-model' }] }],
    };
    service = await serviceUnderTest(inference, {
      PARLANCE_MODELS: JSON.stringify(models),
      PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    });
    await new KeysOfUsers().enter(service.host);
    replica = new Catalogue(service.part(Config), service.part(ModelPrices));
  });
  afterAll(async () => {
    replica.providers.close();
    await service.stop();
    await provider.close();
    listing.close();
  });

  it('shows what the configuration has as read-only', async () => {
    expect(await list('providers')).toContainEqual(
      expect.objectContaining({ id: 'fixed', read_only: true, source: 'configuration', has_api_key: true, etag: null }),
    );
    expect(await list('providers')).toContainEqual(expect.objectContaining({ id: 'anthropic', source: 'built_in', available: false }));
    expect(await list('models')).toContainEqual(expect.objectContaining({ id: 'fixed-model', read_only: true, source: 'configuration' }));
    expect(await list('routes')).toEqual([expect.objectContaining({ id: 'fixed-route', read_only: true, source: 'configuration' })]);
    expect((await call('post', '/admin/providers').send({ id: 'fixed', type: 'openai' })).body.code).toBe('provider_read_only');
    expect((await call('patch', '/admin/providers/fixed').send({ max_concurrent_calls: 1 })).body.code).toBe('provider_read_only');
    expect((await call('delete', '/admin/models/fixed-model')).body.code).toBe('model_read_only');
    expect((await call('delete', '/admin/routes/fixed-route')).body.code).toBe('route_read_only');
  });

  it('is only for administrators', async () => {
    expect((await call('post', '/admin/providers', 'ann').send({ id: 'p', type: 'openai' })).status).toBe(403);
  });

  it('offers a new model at once, which answers, is priced and charged', async () => {
    await add('providers', { id: 'ours', type: 'openai_compatible', base_url: provider.url, api_key: KEY });
    await add('models', { id: 'ours-large', provider: 'ours', model: 'large', name: 'Large', context_window: 32_000, prices: [price] });
    await add('routes', { id: 'any', targets: [{ model: 'ours-large' }, { model: 'fixed-model', weight: 2 }], strategy: 'cheapest' });

    const { body } = await call('get', '/config/global', 'ann');
    expect(body.global_available_models).toContainEqual(expect.objectContaining({ id: 'ours-large', name: 'Large', available: true }));
    const offers = await request(service.server).get('/internal/offers').set(service.asService('bots'));
    expect(offers.body.models).toContain('ours-large');
    const programs = await request(service.server).get('/v1/models').set(service.asModelsToken('t', 'ann'));
    expect(programs.body.data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['ours-large', 'any']));

    provider.behave = () => ({ does: 'answer', text: ['Because.'], usage: { input: 10, output: 3 } });
    const message = { model: 'ours-large', content: [{ content_type: 'text', body: 'Why?' }] };
    const { conversation_id, message_id } = (await call('post', '/conversation', 'ann').send({ message })).body;
    await waitFor(async () => (await call('get', `/conversation/${conversation_id}/${message_id}`, 'ann')).status === 200, {
      what: 'the reply',
    });
    expect(provider.calls.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    const replied = (await published()).find(({ type }) => type.endsWith('reply-completed.v1'))!;
    expect(replied.data).toMatchObject({ model: 'ours-large', cost_nano_dollars: 16_000 });

    const called = await request(service.server)
      .post('/v1/chat/completions')
      .set(service.asModelsToken('t', 'ann'))
      .send({ model: 'ours-large', messages: [{ role: 'user', content: 'Why?' }] });
    expect([called.status, called.headers['x-parlance-model']]).toEqual([200, 'ours-large']);
  });

  it('reaches another replica within two seconds, which reads the log on its own schedule', async () => {
    const reader = new CatalogueReader(
      service.part(EVENTS),
      service.part(Streams),
      service.part(Vault),
      replica,
      service.part(ModelProvidersLifecycle),
      service.part(CallTargets),
      silent,
    );
    const entry = schedule.find(({ name }) => name === 'read the catalogue')!;
    const work = entry.bind({ get: (part: unknown) => (part === CatalogueReader ? reader : service.part(part as never)) } as never);
    // At the pace of production.
    const timers = new Timers(silent);
    timers.every(entry.interval as number, entry.name, () => work.run());
    await waitFor(() => replica.isAvailable('ours-large') && replica.routes.has('any'), { what: 'the earlier models at the replica' });
    const answer = await add('models', { id: 'brief', provider: 'ours', model: 'small' });
    const addedAt = performance.now();
    await waitFor(() => replica.isAvailable('brief'), { what: 'the model at the replica' });
    expect(performance.now() - addedAt).toBeLessThan(2_000);
    expect((await call('delete', '/admin/models/brief').set('if-match', answer.headers['etag']!)).status).toBe(204);
    await waitFor(() => !replica.isAvailable('brief'), { what: 'the removal at the replica' });
    // A reply that it is still writing needs its window.
    expect(replica.windowOf('brief').contextWindow).toBe(8_192);
    await timers.stop();
  });

  it('is read when a process starts', async () => {
    const started = new Catalogue(service.part(Config), service.part(ModelPrices));
    const reader = new CatalogueReader(
      service.part(EVENTS),
      service.part(Streams),
      service.part(Vault),
      started,
      service.part(ModelProvidersLifecycle),
      service.part(CallTargets),
      silent,
    );
    await reader.onApplicationBootstrap();
    expect([started.isAvailable('ours-large'), started.whole.providers['ours']?.api_key]).toEqual([true, KEY]);
    started.providers.close();
  });

  it('does not prevent the start of a release that does not know a change of a newer one', async () => {
    const started = new Catalogue(service.part(Config), service.part(ModelPrices));
    const streams = { look: () => Promise.reject(new UnknownEvent('ModelFrozen')) } as unknown as Streams;
    const lines: unknown[] = [];
    const reader = new CatalogueReader(
      service.part(EVENTS),
      streams,
      service.part(Vault),
      started,
      service.part(ModelProvidersLifecycle),
      service.part(CallTargets),
      { error: (facts: { err: Error }) => lines.push(facts.err) } as unknown as Logger,
    );
    await reader.onApplicationBootstrap();
    await reader.refresh();
    expect(lines).toEqual([expect.any(UnknownEvent)]);
    expect([started.isAvailable('ours-large'), started.list.length > 0]).toEqual([false, true]);
    started.providers.close();
  });

  it('opens credentials again that could not be read in an outage', async () => {
    const started = new Catalogue(service.part(Config), service.part(ModelPrices));
    const away = refuse('unavailable', 'service_unavailable', 'The database is away.');
    const vault = new Vault({ find: () => Promise.reject(away) } as unknown as SubjectKeys);
    const reader = new CatalogueReader(
      service.part(EVENTS),
      service.part(Streams),
      vault,
      started,
      service.part(ModelProvidersLifecycle),
      service.part(CallTargets),
      silent,
    );
    await expect(reader.refresh()).rejects.toBe(away);
    vault.openJson = (text) => service.part(Vault).openJson(text);
    await reader.refresh();
    expect(started.whole.providers['ours']?.api_key).toBe(KEY);
    started.providers.close();
  });

  it('has the prices of the request that added a model, not of one that was refused at the same time', async () => {
    const adding = Array.from({ length: 5 }, (_, nth) =>
      call('post', '/admin/models').send({ id: 'twice', provider: 'ours', model: 'small', prices: [{ ...price, input: nth + 1 }] }),
    );
    const answers = await Promise.all(adding);
    const [added] = answers.filter(({ status }) => status === 201);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    const { input } = (await list('models')).find(({ id }) => id === 'twice')!['price' as 'id'] as unknown as { input: number };
    expect(input).toBe(answers.indexOf(added!) + 1);
    expect((await call('delete', '/admin/models/twice')).status).toBe(204);
  });

  it('names the place of a setting that a check of a model finds wrong', async () => {
    provider.behave = () => ({ does: 'refuse', status: 401 });
    const { error } = (await call('post', '/admin/models/ours-large/check')).body;
    expect(error).toMatchObject({ code: 'key_refused', message: expect.stringContaining('/admin/providers/ours') });
  });

  it('never shows, publishes or stores credentials in clear', async () => {
    const shown = [await list('providers'), (await call('get', '/admin/providers/ours')).body, await published()];
    expect(JSON.stringify(shown)).not.toContain(KEY);
    expect((await call('get', '/admin/providers/ours')).body).toMatchObject({ has_api_key: true, available: true, models: 1 });
    expect(await filesWith(service.host.config.dataDir, KEY)).toEqual([]);
    expect((await published()).filter(({ type }) => type.endsWith('model-provider-changed.v1')).map(({ data }) => data)).toEqual([
      { provider: 'ours', change: 'added', api: 'openai_compatible', base_url: provider.url, credentials: 'set' },
    ]);
  });

  it('refuses to remove what is in use', async () => {
    const codes = ['/admin/providers/ours', '/admin/models/ours-large'].map(async (path) => (await call('delete', path)).body.code);
    expect(await Promise.all(codes)).toEqual(['provider_in_use', 'model_in_use']);
  });

  it('refuses a change of an older version', async () => {
    const { headers } = await call('get', '/admin/providers/ours');
    const change = (calls: number) =>
      call('patch', '/admin/providers/ours').set('if-match', headers['etag']!).send({ max_concurrent_calls: calls });
    expect((await change(5)).body).toMatchObject({ max_concurrent_calls: 5, has_api_key: true });
    expect([(await change(6)).status, (await change(6)).body.code]).toEqual([412, 'version_stale']);
  });

  it('does not send stored credentials to another address', async () => {
    const moved = await call('patch', '/admin/providers/ours').send({ base_url: listingUrl });
    expect([moved.status, moved.body.code]).toEqual([400, 'credentials_needed']);
  });

  it.each(['http://169.254.169.254/v1', 'http://10.0.0.8/v1', 'http://[::1]:8080/v1', 'https://models.example.org:22/v1', 'file:///etc'])(
    'refuses the address %s',
    async (base_url) => {
      expect((await call('post', '/admin/providers').send({ id: 'bad', type: 'openai_compatible', base_url })).status).toBe(400);
    },
  );

  it('checks credentials by the list of models', async () => {
    await add('providers', { id: 'listing', type: 'openai', base_url: listingUrl, api_key: KEY });
    const check = async () => (await call('post', '/admin/providers/listing/check')).body;
    expect(await check()).toEqual({ ok: true, latency_ms: expect.any(Number), error: null });
    expect(listing.seen.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
    listing.answer = { status: 401, body: `{"error":"no such key ${KEY}"}` };
    const refused = await check();
    expect(refused).toMatchObject({ ok: false, error: { code: 'key_refused' } });
    expect(JSON.stringify(refused)).not.toContain(KEY);
    listing.answer = { status: 200, body: '<html>' };
    expect((await check()).error.code).toBe('answer_invalid');
    expect((await call('post', '/admin/providers/anthropic/check')).body.error.code).toBe('no_credentials');
    expect((await call('post', '/admin/providers/none/check')).status).toBe(404);
  });

  it('lists the models of a provider, with what the built-in catalogue knows of them', async () => {
    const data = [{ id: 'gpt-6-luna' }, { id: 'own', name: 'Own model', max_model_len: 4_096 }, { id: 'not a name!' }, null];
    listing.answer = { status: 200, body: JSON.stringify({ data }) };
    await add('models', { id: 'mine', provider: 'listing', model: 'own' });
    const { body } = await call('get', '/admin/providers/listing/available-models');
    expect(body.complete).toBe(true);
    expect(body.models).toEqual([
      expect.objectContaining({ model: 'gpt-6-luna', model_ids: [], suggestion: expect.objectContaining({ id: 'gpt-6-luna' }) }),
      { model: 'own', name: 'Own model', context_window: 4_096, model_ids: ['mine'], suggestion: null },
    ]);
    expect(body.models[0].suggestion.prices[0]).toMatchObject({ input: 0.1, output: 0.5 });
    listing.answer = { status: 200, body: JSON.stringify({ data: Array.from({ length: 1_001 }, (_, index) => ({ id: `m${index}` })) }) };
    const many = (await call('get', '/admin/providers/listing/available-models')).body;
    expect([many.models.length, many.complete]).toEqual([1_000, false]);
    listing.answer = { status: 200, body: 'x'.repeat(3 * 1024 * 1024) };
    expect((await call('get', '/admin/providers/listing/available-models')).body.code).toBe('models_not_listed');
    listing.answer = { status: 503, body: '' };
    expect((await call('get', '/admin/providers/listing/available-models')).status).toBe(503);
  });

  it('gives a built-in provider credentials, so that its models become available', async () => {
    await add('providers', { id: 'anthropic', type: 'anthropic', base_url: provider.url, api_key: KEY });
    expect(await list('models')).toContainEqual(expect.objectContaining({ id: 'claude-haiku-5-5', available: true, source: 'built_in' }));
    expect((await call('delete', '/admin/providers/anthropic')).status).toBe(204);
    expect(await list('models')).toContainEqual(expect.objectContaining({ id: 'claude-haiku-5-5', available: false }));
  });

  it('destroys the key of credentials that were refused', async () => {
    const shred = jest.spyOn(service.part(Vault), 'shred');
    expect((await call('post', '/admin/providers').send({ id: 'ours', type: 'openai', api_key: KEY })).body.code).toBe('provider_exists');
    expect(shred).toHaveBeenCalledTimes(1);
    shred.mockRestore();
  });

  it('shows the circuit breakers of added providers in health', async () => {
    const { body } = await request(service.server).get('/health/ready');
    expect(JSON.stringify(body)).toContain('models ours');
  });

  it('shows when a provider is not called, and which models of a route are not', async () => {
    const ours = async () => (await list('providers')).find(({ id }) => id === 'ours');
    const route = async () => (await list('routes')).find(({ id }) => id === 'any');
    expect(await ours()).toMatchObject({ breaker: { state: 'closed', since: null } });
    expect(await list('providers')).toContainEqual(expect.objectContaining({ id: 'local', breaker: null }));
    expect(await route()).toMatchObject({ paused: [] });
    provider.behave = () => ({ does: 'refuse', status: 503 });
    const began = Math.floor(Date.now() / 1_000);
    for (let checks = 0; checks < 10; checks++) await call('post', '/admin/models/ours-large/check');
    const { breaker } = (await ours()) as unknown as { breaker: { state: string; since: number } };
    expect(breaker).toEqual({ state: 'open', since: expect.any(Number) });
    expect(breaker.since).toBeGreaterThanOrEqual(began);
    expect(await route()).toMatchObject({ paused: ['ours-large'] });
    const csv = await call('get', '/admin/providers').set('accept', 'text/csv');
    expect(csv.text).toMatch(/^"?ours"?,.*open/m);
  });

  it('removes a provider with its models, and destroys the key of its credentials', async () => {
    const targets = service.part(CallTargets);
    const target = targets.of('ours-large');
    for (const path of ['routes/any', 'models/ours-large', 'providers/ours', 'models/mine', 'providers/listing'])
      expect([path, (await call('delete', `/admin/${path}`)).status]).toEqual([path, 204]);
    const { body } = await call('get', '/config/global', 'ann');
    expect(JSON.stringify(body.global_available_models)).not.toContain('ours-large');
    // A model that is added later under the same ID has its own health.
    expect(targets.of('ours-large')).not.toBe(target);
    const { commits } = await service.part(EVENTS).read('catalogue');
    const events = commits.flatMap((commit) => commit.events.map(({ event }) => event)) as { credentials?: { sealed: string } }[];
    const sealed = events.flatMap(({ credentials }) => (credentials ? [credentials.sealed] : []));
    expect(sealed).toHaveLength(3);
    for (const text of sealed) expect(await service.part(Vault).open(text as never)).toBeNull();
  });
});
