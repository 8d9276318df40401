import { describe, expect, it, jest } from '@jest/globals';
import { Vault } from '@parlance/privacy';
import { CallTargets } from '../../src/workflows/calls/routes/call-targets.ts';
import { filesWith } from '../files-with.ts';
import { type CatalogueUnderTest, EVENTS, KEY } from './catalogue-under-test.ts';

export function managedProviders(catalogue: CatalogueUnderTest): void {
  describe('a catalogue that administrators change while Parlance runs', () => {
    const { service, provider, listing, listingUrl, call, add, list, published } = catalogue;

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
}
