import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CallerStatement } from '@parlance/http';
import { HttpTargets } from '@parlance/calls/http-targets';
import { contractEdge, statements } from './forward.contract.ts';
import { edgeWith, stub } from '../../../test/rig.ts';
import { HttpForward } from './forward-http.ts';
import { LocalForward } from './forward-in-process.ts';
import { cleanUp, replica } from './replicas.contract.ts';
import { type Forwarded, ServiceForward } from './service-forward.ts';

beforeAll(() => Logger.overrideLogger(false));

afterEach(cleanUp);

/** The answers at /late may begin late. */
class Forward extends ServiceForward {
  constructor(private readonly inner: HttpForward) {
    super();
  }

  override forward(service: string, forwarded: Forwarded, statement: CallerStatement): void {
    this.inner.forward(service, { ...forwarded, mayBeginLate: forwarded.req.url === '/late' }, statement);
  }
}

it('waits for an answer that may begin late, and for no other', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const { address } = await replica(({ url }, response) => void (url === '/late' && arrived.resolve(response)));
  const targets = new HttpTargets({ bots: address });
  const edge = contractEdge(new Forward(new HttpForward(targets, statements, 50)), 'bots');
  await edge.listen({ port: 0, host: '127.0.0.1' });
  const { port } = edge.server.address() as AddressInfo;
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' });
  const late = ask('/late');
  const response = await arrived.promise;
  expect((await ask('/other')).status).toBe(503);
  response.end('done');
  expect(await (await late).text()).toBe('done');
  await targets.close(10);
  await edge.close();
});

it('allows a late answer to routes that may stream', async () => {
  const forward = jest.spyOn(LocalForward.prototype, 'forward');
  const answering = (mediaType: string) => ({
    post: { operationId: mediaType, security: [{ bearer: [] }], responses: { 200: { content: { [mediaType]: {} } } } },
  });
  const bots = stub('bots', { '/bot/stream': answering('text/event-stream'), '/bot/whole': answering('application/json') });
  for (const path of ['/bot/stream', '/bot/whole']) bots.post(path, () => ({}));
  const edge = await edgeWith({ bots });
  const headers = { ...(await edge.as('ann')), 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: '{}' };
  for (const path of ['/bot/stream', '/bot/whole']) expect((await fetch(edge.url + path, sent)).status).toBe(200);
  const posts = forward.mock.calls.filter(([, { req }]) => req.method === 'POST');
  await edge.stop();
  expect(posts.map(([, { req, mayBeginLate }]) => [req.url, mayBeginLate])).toEqual([
    ['/bot/stream', true],
    ['/bot/whole', false],
  ]);
});
