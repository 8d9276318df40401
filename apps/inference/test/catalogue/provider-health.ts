import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { CatalogueUnderTest } from './catalogue-under-test.ts';

export function providerHealth(catalogue: CatalogueUnderTest): void {
  describe('a catalogue that administrators change while Parlance runs', () => {
    const { service, provider, call, list } = catalogue;

    it('names the place of a setting that a check of a model finds wrong', async () => {
      provider.behave = () => ({ does: 'refuse', status: 401 });
      const { error } = (await call('post', '/admin/models/ours-large/check')).body;
      expect(error).toMatchObject({ code: 'key_refused', message: expect.stringContaining('/admin/providers/ours') });
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
  });
}
