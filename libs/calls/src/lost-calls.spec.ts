import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CallerStatements, type Leaving, LEAVING_HEADER } from '@parlance/http';
import { HttpCalls } from './http.ts';
import { HttpTargets } from './http-targets.ts';
import { type CallOptions, HARMLESS } from './service-calls.ts';

beforeAll(() => Logger.overrideLogger(false));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts a replica of a service and returns its address. */
async function replica(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fine: RequestListener = async (request, response) => {
  const body = await text(request);
  setImmediate(() => response.end(JSON.stringify({ got: body })));
};
/** Loses every call. It responds to the question for a sign of life, which is sent when the calls of a test take long. */
const cutOff: RequestListener = (request, response) => (request.url === '/health/live' ? response.end('{}') : request.socket.destroy());
/** The proxy lost its connection to the service. */
const ofProxy: RequestListener = (_, response) => response.writeHead(502).end();
const closed = 'http://127.0.0.1:9';

function targetsOf(...addresses: string[]): HttpTargets {
  const targets = new HttpTargets({ bots: addresses });
  cleanups.push(() => targets.close(10));
  return targets;
}

describe('calls to several replicas', () => {
  const signing = { statements: new CallerStatements(Buffer.alloc(32, 1)), self: 'edge' };

  it('are repeated after a loss if they are queries, not if they are commands', async () => {
    const [one, two] = [await replica(cutOff), await replica(fine)];
    const calls = new HttpCalls(targetsOf(one, two), signing);
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await calls.get('bots', '/')).toEqual({ got: '' });
      expect(await calls.post('bots', '/', {}, HARMLESS)).toEqual({ got: '{}' });
    }
    const results = [0, 1].map(() => calls.post<object>('bots', '/', {}).then(Object.keys, ({ code }: { code: string }) => code));
    expect((await Promise.all(results)).toSorted()).toEqual([['got'], 'outcome_unknown']);
  });

  it('have a known outcome if they cannot have had an effect, or may be repeated', async () => {
    const codeOf = async (addresses: string[], options?: CallOptions) =>
      new HttpCalls(targetsOf(...addresses), signing).post('bots', '/', {}, options).catch(({ code }: { code: string }) => code);
    expect(await codeOf([closed, closed])).toBe('service_unavailable');
    expect(await codeOf([await replica(cutOff)], HARMLESS)).toBe('service_unavailable');
    expect(await codeOf([await replica(ofProxy)])).toBe('outcome_unknown');
    expect(await codeOf([await replica(ofProxy)], HARMLESS)).toBe('service_unavailable');
  });

  it('go to another replica if one refuses them because it is about to end, also commands', async () => {
    let refusals = 0;
    const leaving = await replica((_, response) => void (refusals++, response.writeHead(503, { [LEAVING_HEADER]: 'refused' }).end()));
    const calls = new HttpCalls(targetsOf(leaving, await replica(fine)), signing);
    for (let attempt = 0; attempt < 4; attempt++) expect(await calls.post('bots', '/', { a: 1 })).toEqual({ got: '{"a":1}' });
    expect(refusals).toBe(1);
    await expect(new HttpCalls(targetsOf(leaving, leaving), signing).post('bots', '/', {})).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('are carried out once by a replica that announces its end with its answer', async () => {
    let carriedOut = 0;
    const announcing: RequestListener = (request, response) => {
      if (request.url !== '/health/live') carriedOut++;
      response.setHeader(LEAVING_HEADER, 'soon' satisfies Leaving);
      return fine(request, response);
    };
    const calls = new HttpCalls(targetsOf(await replica(announcing), await replica(announcing)), signing);
    expect(await calls.post('bots', '/', { a: 1 })).toEqual({ got: '{"a":1}' });
    expect(carriedOut).toBe(1);
  });

  it('go to another replica if one is closed', async () => {
    const calls = new HttpCalls(targetsOf(closed, await replica(fine)), signing);
    for (let attempt = 0; attempt < 3; attempt++) expect(await calls.post('bots', '/', { a: 1 })).toEqual({ got: '{"a":1}' });
  });
});
