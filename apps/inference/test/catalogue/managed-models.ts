import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { type CatalogueUnderTest, KEY, price } from './catalogue-under-test.ts';

export function managedModels(catalogue: CatalogueUnderTest): void {
  describe('a catalogue that administrators change while Parlance runs', () => {
    const { service, provider, call, add, list, published } = catalogue;

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
  });
}
