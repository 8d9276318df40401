import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CallerStatements } from '@parlance/http';
import { contractEdge, statements } from '../test/forward.contract.ts';
import { HttpForward } from './forward-http.ts';
import { HttpCalls } from './http.ts';
import { HttpTargets } from './http-targets.ts';

beforeAll(() => Logger.overrideLogger(false));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** One process of a service; `kill` does to its connections what kill -9 does. */
async function replica(answer: RequestListener) {
  const its = { asked: 0, address: '', kill: () => {} };
  const server = createServer((request, response) => {
    its.asked++;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  its.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  its.kill = () => {
    server.close();
    server.closeAllConnections();
  };
  cleanups.push(its.kill);
  return its;
}

const fine: RequestListener = async (request, response) => {
  const body = await text(request);
  setImmediate(() => response.end(JSON.stringify({ got: body })));
};
const cutOff: RequestListener = (request) => request.socket.destroy();
const closed = 'http://127.0.0.1:9';

function targetsOf(...addresses: string[]): HttpTargets {
  const targets = new HttpTargets({ bots: addresses });
  cleanups.push(() => targets.close(10));
  return targets;
}

/** An edge before these addresses; resolves to what asks it. */
async function edgeBefore(...addresses: string[]) {
  const edge = contractEdge(new HttpForward(targetsOf(...addresses), statements), 'bots');
  await edge.listen({ port: 0, host: '127.0.0.1' });
  cleanups.push(() => {
    edge.server.closeAllConnections();
    return edge.close();
  });
  const { port } = edge.server.address() as AddressInfo;
  return (init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}/`, init);
}

describe('forwarding to several replicas', () => {
  it('asks them in turn', async () => {
    const [one, two] = [await replica(fine), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    for (let nth = 0; nth < 6; nth++) await ask();
    expect([one.asked, two.asked]).toEqual([3, 3]);
  });

  it('loses not one of 200 GETs when a replica is killed among them', async () => {
    const [one, two] = [await replica(fine), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    const answers: number[] = [];
    const client = async () => {
      while (answers.length < 200) answers.push((await ask()).status);
    };
    const killed = (async () => {
      while (one.asked < 40) await new Promise(setImmediate);
      one.kill();
    })();
    await Promise.all([killed, ...Array.from({ length: 8 }, client)]);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(one.asked).toBeLessThan(two.asked);
  });

  it('brings a POST, body and all, to another replica where one is closed', async () => {
    const ask = await edgeBefore(closed, (await replica(fine)).address);
    const body = 'x'.repeat(200_000);
    for (let nth = 0; nth < 4; nth++) expect(await (await ask({ method: 'POST', body })).json()).toEqual({ got: body });
  });

  it('repeats no POST that may have arrived', async () => {
    const [one, two] = [await replica(cutOff), await replica(cutOff)];
    const ask = await edgeBefore(one.address, two.address);
    const answer = await ask({ method: 'POST', body: 'once' });
    expect([answer.status, one.asked + two.asked]).toEqual([503, 1]);
    expect((await ask({ method: 'POST' })).status).toBe(503);
    expect(one.asked + two.asked).toBe(2);
  });

  it('repeats no answer that has begun', async () => {
    const begins: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setImmediate(() => request.socket.destroy());
    };
    const [one, two] = [await replica(begins), await replica(begins)];
    const answer = await (await edgeBefore(one.address, two.address))();
    await expect(answer.text()).rejects.toThrow();
    expect(one.asked + two.asked).toBe(1);
  });

  it('says that all are dead', async () => {
    const [one, two] = [await replica(fine), await replica(fine)];
    const ask = await edgeBefore(one.address, two.address);
    await ask();
    one.kill();
    two.kill();
    for (const method of ['GET', 'POST']) {
      const answer = await ask({ method });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'service_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('forwarding to the only address', () => {
  it('sends a GET again when the kept connection had gone stale', async () => {
    const seen = new Set<unknown>();
    const its = await replica((request, response) => {
      if (seen.has(request.socket)) return void request.socket.destroy();
      seen.add(request.socket);
      response.end();
    });
    const ask = await edgeBefore(its.address);
    for (let nth = 0; nth < 3; nth++) expect((await ask()).status).toBe(200);
  });

  it('does not send again what may have felled it', async () => {
    const its = await replica(cutOff);
    expect((await (await edgeBefore(its.address))()).status).toBe(503);
    expect(its.asked).toBe(1);
  });
});

describe('calls to several replicas', () => {
  const signing = { statements: new CallerStatements(Buffer.alloc(32, 1)), self: 'edge' };

  it('ask a second time what only asks, and tell nothing twice', async () => {
    const [one, two] = [await replica(cutOff), await replica(fine)];
    const calls = new HttpCalls(targetsOf(one.address, two.address), signing);
    for (let nth = 0; nth < 4; nth++) expect(await calls.get('bots', '/')).toEqual({ got: '' });
    const told = [0, 1].map(() => calls.post<object>('bots', '/', {}).then(Object.keys, ({ code }: { code: string }) => code));
    expect((await Promise.all(told)).toSorted()).toEqual([['got'], 'service_unavailable']);
  });

  it('go to another replica where one is closed', async () => {
    const calls = new HttpCalls(targetsOf(closed, (await replica(fine)).address), signing);
    for (let nth = 0; nth < 3; nth++) expect(await calls.post('bots', '/', { a: 1 })).toEqual({ got: '{"a":1}' });
  });
});
