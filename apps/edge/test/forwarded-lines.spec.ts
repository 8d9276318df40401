import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { NestLogger, openLogging } from '@parlance/observability';
import { waitFor } from '@parlance/testing';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

const operation = (id: string, security: readonly object[]) => ({ operationId: id, security, responses: { 200: {} } });

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the lines of the edge about forwarded requests, %s,', (_shape, overHttp) => {
  let edge: EdgeUnderTest;
  let bots: ReturnType<typeof stub>;
  let token: Record<string, string>;
  const written: string[] = [];
  const lines = (id: string) =>
    written.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ request_id }) => request_id === id);

  beforeAll(async () => {
    bots = stub('bots', {
      '/bot/{botId}': { get: operation('read', [{ bearer: [] }]), post: operation('change', [{ bearer: [] }]) },
      '/open/{botId}': { get: operation('open', []) },
    });
    bots.get('/bot/:id', (request, reply) => reply.code(request.headers['x-status'] === '500' ? 500 : 200).send('{}'));
    bots.post('/bot/:id', (_request, reply) => reply.send('{}'));
    bots.get('/open/:id', (_request, reply) => reply.send('{}'));
    const logging = openLogging({ level: 'debug', destination: { write: (line) => void written.push(line) } });
    edge = await edgeWith({ bots }, { overHttp, logging });
    token = await edge.as('ann');
    Logger.overrideLogger(new NestLogger(logging.for('host')));
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    await edge.stop();
  });

  const ask = async (id: string, path: string, method = 'GET', headers: Record<string, string> = token) =>
    (await fetch(`${edge.url}${path}`, { method, headers: { ...headers, 'x-request-id': id } })).status;
  const answered = async (id: string) => {
    await waitFor(() => lines(id).some(({ msg }) => msg === 'answered'), { what: `the line of ${id}` });
    return lines(id).find(({ msg }) => msg === 'answered');
  };

  it.each([
    ['quick', '/bot/7?secret=1', 'GET', '/bot/:botId'],
    ['posted', '/bot/7', 'POST', '/bot/:botId'],
    ['anonymous', '/open/7', 'GET', '/open/:botId'],
  ])('have the route of the service and the ID of the request: %s', async (id, path, method, route) => {
    // Several requests share the connections to the service.
    for (const each of [`${id}-1`, `${id}-2`]) {
      expect(await ask(each, path, method)).toBe(200);
      expect(await answered(each)).toMatchObject({ level: 'debug', service: 'edge', method, route, status: 200 });
    }
  });

  it('have them when the service fails, when it is gone, and when the edge refuses', async () => {
    expect(await ask('failed', '/bot/7', 'GET', { ...token, 'x-status': '500' })).toBe(500);
    expect(await answered('failed')).toMatchObject({ level: 'warn', route: '/bot/:botId', status: 500 });
    expect(await ask('refused', '/bot/7', 'GET', {})).toBe(401);
    expect(await answered('refused')).toMatchObject({ route: '/bot/:botId', status: 401 });
    expect(await ask('nowhere', '/nowhere/7')).toBe(404);
    expect(await answered('nowhere')).toMatchObject({ route: 'unmatched', status: 404 });
    edge.host.local.leave('bots');
    bots.server.closeAllConnections();
    await bots.close();
    expect(await ask('gone', '/bot/7')).toBe(503);
    expect(await answered('gone')).toMatchObject({ level: 'warn', route: '/bot/:botId', status: 503 });
    expect(lines('gone')).toContainEqual(
      expect.objectContaining({ msg: 'A call to the service bots failed.', target: 'bots', route: '/bot/:botId' }),
    );
    expect(written.join()).not.toContain('secret');
  });
});
