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

it('lets calls whose answers begin late take no place from others', async () => {
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let calls = 0;
  const { address } = await replica(({ url }, response) => (url === '/late' ? arrived[calls++]!.resolve() : void response.end()));
  const targets = new HttpTargets({ bots: address }, { atOnce: 2 });
  const edge = contractEdge(new Forward(new HttpForward(targets, statements)), 'bots');
  await edge.listen({ port: 0, host: '127.0.0.1' });
  const { port } = edge.server.address() as AddressInfo;
  const end = new AbortController();
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', signal: end.signal });
  const late: Promise<unknown>[] = [];
  for (const { promise } of arrived) {
    late.push(ask('/late').catch(() => 'left'));
    await promise;
  }
  expect([(await ask('/late')).status, (await ask('/other')).status]).toEqual([503, 200]);
  end.abort();
  expect(await Promise.all(late)).toEqual(['left', 'left']);
  await targets.close(10);
  await edge.close();
});

it('lets only calls of models answer late, and sends those of one length to one replica', async () => {
  const forward = jest.spyOn(LocalForward.prototype, 'forward');
  const answering = (mediaType: string) => ({
    post: { operationId: mediaType, security: [{ bearer: [] }], responses: { 200: { content: { [mediaType]: {} } } } },
  });
  const bots = stub('bots', { '/v1/embeddings': answering('application/json'), '/bot/stream': answering('text/event-stream') });
  for (const path of ['/v1/embeddings', '/bot/stream']) bots.post(path, () => ({}));
  const edge = await edgeWith({ bots });
  const headers = { ...(await edge.as('ann')), 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: '{}' };
  for (const path of ['/v1/embeddings', '/bot/stream', '/v1/embeddings']) expect((await fetch(edge.url + path, sent)).status).toBe(200);
  expect((await fetch(`${edge.url}/v1/embeddings`, { ...sent, body: '{ }' })).status).toBe(200);
  const ofBob = { ...headers, ...(await edge.as('bob')) };
  expect((await fetch(`${edge.url}/v1/embeddings`, { ...sent, headers: ofBob })).status).toBe(200);
  const posts = forward.mock.calls.filter(([, { req }]) => req.method === 'POST');
  await edge.stop();
  expect(posts.slice(0, 2).map(([, { req, mayBeginLate }]) => [req.url, mayBeginLate])).toEqual([
    ['/v1/embeddings', true],
    ['/bot/stream', false],
  ]);
  const [first, other, second, longer, bobs] = posts.map(([, { alike }]) => alike);
  expect([first === null, other, second === first, longer === first, bobs === first]).toEqual([false, null, true, false, false]);
});
