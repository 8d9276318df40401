import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { edge } from '../src/service.ts';

describe('the page that shows the API', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await serviceUnderTest(edge);
  });
  afterAll(() => service.stop());
  const get = (path: string) => request(service.server).get(path);

  it('is available before the services are', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await get('/openapi.json')).status).toBe(503);
  });

  it('serves every file that it loads', async () => {
    const { text } = await get('/docs');
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(loaded).toEqual(['docs/favicon-32x32.png', 'docs/swagger-ui.css', 'openapi.json', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
    for (const path of loaded.filter((file) => file !== 'openapi.json')) {
      const file = await get(`/${path}`).buffer();
      expect([path, file.status, Number(file.headers['content-length']) > 50]).toEqual([path, 200, true]);
      expect(file.headers['cache-control']).toBe('public, max-age=3600');
    }
  });

  it('runs no inline script, and calls no other host', async () => {
    const page = await get('/docs');
    expect(page.text).not.toMatch(/<script>|<style|\son\w+=|javascript:|https?:/);
    expect((await get('/docs/start.js')).text).toContain('validatorUrl: null');
    for (const { headers } of [page, await get('/docs/start.js')]) {
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers['x-frame-options']).toBe('DENY');
    }
  });

  it('serves no other file of its package', async () => {
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/..%2fpackage.json', '/docs/'])
      expect((await get(path)).status).not.toBe(200);
  });
  it('accepts no query', async () => expect((await get('/docs?url=https://evil.example')).status).toBe(400));
});
