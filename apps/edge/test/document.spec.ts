import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

describe('the document for clients', () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    const paths = { '/bot': { post: { operationId: 'create', security: [{ bearer: [] }], responses: { 201: {} } } } };
    edge = await edgeWith({ bots: stub('bots', paths) }, { settings: { PARLANCE_KAFKA_PREFIX: 'acme.' } });
  });
  afterAll(() => edge.stop());

  it("has the services' routes, the edge's own, and no internal one", async () => {
    const { paths } = (await (await fetch(`${edge.url}/openapi.json`)).json()) as { paths: Record<string, { post: object }> };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/asyncapi.json', '/bot', '/openapi.json']));
    expect(Object.keys(paths).filter((path) => path.startsWith('/internal'))).toEqual([]);
    expect(paths['/bot']?.post).toMatchObject({
      parameters: [{ name: 'Idempotency-Key' }],
      responses: { 201: {}, 400: {}, 401: {}, 403: {}, 409: {}, 503: {} },
    });
  });

  it('names the topics of events with their prefix', async () => {
    const { channels } = (await (await fetch(`${edge.url}/asyncapi.json`)).json()) as { channels: Record<string, { address: string }> };
    expect(channels['bots']?.address).toBe('acme.parlance.bots');
  });

  it.each(['openapi', 'asyncapi'])('is serialized once, not for each request: %s', async (kind) => {
    const get = async () => {
      const answer = await fetch(`${edge.url}/${kind}.json`);
      return [answer.headers.get('content-type'), await answer.text()] as const;
    };
    const first = await get();
    const written = jest.spyOn(JSON, 'stringify');
    try {
      expect(await get()).toEqual(first);
      expect(
        written.mock.calls.filter(([value]: readonly unknown[]) => typeof value === 'object' && value !== null && kind in value),
      ).toEqual([]);
    } finally {
      written.mockRestore();
    }
    expect([first[0], JSON.parse(first[1])]).toEqual([
      'application/json; charset=utf-8',
      expect.objectContaining({ [kind]: expect.any(String) }),
    ]);
  });
});

describe('services of two releases that describe the API differently', () => {
  const route = (operationId: string) => ({ '/bot': { get: { operationId, security: [], responses: { 200: {} } } } });
  it('do not keep an edge of a cluster from starting', async () => {
    const [bots, inference] = [{ type: 'object' }, { type: 'object', properties: { look_up: {} } }].map((Problem, index) => {
      const service = stub(['bots', 'inference'][index]!, route(`list_${index}`), { Problem });
      service.get('/bot', () => ({}));
      return service;
    }) as [FastifyInstance, FastifyInstance];
    const edge = await edgeWith({ bots, inference }, { overHttp: true });
    try {
      const document = (await (await fetch(`${edge.url}/openapi.json`)).json()) as { components: { schemas: object } };
      expect(Object.keys(document.components.schemas)).toContain('Problem');
      expect((await fetch(`${edge.url}/bot`)).status).toBe(200);
    } finally {
      await edge.stop();
    }
  });
});
