import { deepStrictEqual, ok } from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Instant } from '@parlance/decider';
import fastify, { type FastifyInstance } from 'fastify';
import { type CallerStatement, CallerStatements, CODE_HEADER, lingerOnRefusedBodies, PATIENCE_MILLIS } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import type { ServiceForward } from './service-forward.ts';

/** An edge in front of one service, for the cases to send requests to. */
export interface ForwardRig {
  readonly port: number;
  readonly server: Server;
  /** Emits `gone` when the service notices that a client has left a stream. */
  readonly events: EventEmitter;
  /** Stops the service and leaves the edge running. */
  stopService(): Promise<void>;
}

export interface ForwardCase {
  readonly name: string;
  run(rig: ForwardRig): Promise<void>;
}

/** The signing key of every rig. */
export const statements = new CallerStatements(Buffer.alloc(32));

const STATEMENT: CallerStatement = { sub: 'ann', groups: [], sid: null, kind: 'user', ip: null, ua: null, rid: 'r-1', cid: 'r-1' };

/** The service that the cases expect. The rig starts it, and the adapter under test reaches it. */
export function contractService(events: EventEmitter): FastifyInstance {
  const service = fastify({ bodyLimit: 4 * 1024 * 1024, logger: false });
  lingerOnRefusedBodies(service);
  service.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
  service.post('/echo', (request) => ({ body: request.body, headers: request.headers, url: request.url }));
  service.get('/who', ({ raw }) => ({ ...raw.headers, 'x-parlance-caller': statements.of(raw, Instant.ofMillis(Date.now()))?.sub }));
  service.post('/count', async (request) => {
    let bytes = 0;
    for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length;
    return { bytes };
  });
  // This is what the time limit of answers does.
  service.addHook('onRequest', (request, reply, done) => {
    if (request.url === '/slow') void reply.code(408).header('connection', 'close').send({ code: 'request_timeout' });
    else done();
  });
  service.get('/large', (_, reply) => reply.send(Buffer.alloc(8 * 1024 * 1024, 'x')));
  service.get('/refused', (_, reply) =>
    reply.code(404).type('application/problem+json').header('x-limit', 'inner').send('{"code":"bot_unknown"}'),
  );
  service.get('/another-form', (_, reply) => reply.code(503).header(CODE_HEADER, 'provider_unavailable').send({ error: {} }));
  service.get('/with-trailer', (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', trailer: 'x-cost' });
    reply.raw.write('data: 1\n\n');
    reply.raw.addTrailers({ 'x-cost': '7' });
    reply.raw.end();
  });
  service.get('/stream', (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    reply.raw.write('data: 1\n\n');
    events.once('more', () => reply.raw.write('data: 2\n\n'));
    reply.raw.on('close', () => events.emit('gone'));
  });
  return service;
}

/**
 * The rig's edge: forwards everything to one service, and sets headers of its own on the reply. `newId`: the ID of the resource that each
 * request creates, as for a request that the edge remembers.
 */
export function contractEdge(forward: ServiceForward, service: string, newId?: string): FastifyInstance {
  const statement: CallerStatement = newId === undefined ? STATEMENT : { ...STATEMENT, nid: newId };
  const edge = fastify({ logger: false });
  edge.decorateRequest('requestId', '');
  edge.addHook('onRequest', (request, reply) => {
    request.requestId = 'r-1';
    reply.raw.setHeader('x-limit', 'outer').setHeader('x-edge', 'yes');
    reply.hijack();
    forward.forward(service, { req: request.raw, res: reply.raw, requestId: request.requestId, lookUp: request.url }, statement);
  });
  edge.all('/*', () => ({ reached: 'the edge itself' }));
  return edge;
}

/** The behaviour of every adapter. Each case is a plain function, so that a spec can check that it fails with a broken adapter. */
export const forwardCases: readonly ForwardCase[] = [
  {
    name: 'forwards a JSON body and the URL, and returns the answer',
    async run({ port }) {
      const answer = await send(port, 'POST', '/echo?a=1&b=%20', { 'content-type': 'application/json' }, '{"text":"grüße"}');
      const { body, url } = (await json(answer)) as { body: unknown; url: string };
      deepStrictEqual([answer.statusCode, body, url], [200, { text: 'grüße' }, '/echo?a=1&b=%20']);
    },
  },
  {
    name: 'lets no client state its own identity, under any header name',
    async run({ port }) {
      const forged = {
        'x-parlance-caller': 'forged',
        'x-parlance-session': 'cookie',
        'x-parlance-cache': 'ttl=60',
        'X-Parlance-Admin': 'yes',
        'x-request-id': 'forged',
        connection: 'x-parlance-caller, x-request-id',
      };
      const headers = (await json(await send(port, 'GET', '/who', forged))) as Record<string, string>;
      deepStrictEqual(headers['x-parlance-caller'], 'ann');
      deepStrictEqual(headers['x-parlance-admin'], undefined);
      // The client may send this header.
      deepStrictEqual([headers['x-parlance-session'], headers['x-parlance-cache']], ['cookie', 'ttl=60']);
      deepStrictEqual(headers['x-request-id'], 'r-1');
    },
  },
  {
    name: 'streams large bodies both ways',
    async run({ port }) {
      const bytes = 12 * 1024 * 1024;
      const counted = await send(port, 'POST', '/count', { 'content-type': 'application/octet-stream' }, Buffer.alloc(bytes));
      deepStrictEqual(await json(counted), { bytes });
      deepStrictEqual((await text(await send(port, 'GET', '/large'))).length, 8 * 1024 * 1024);
    },
  },
  {
    name: "returns a service's refusal unchanged, and adds the edge's headers that the service did not set",
    async run({ port }) {
      const answer = await send(port, 'GET', '/refused');
      const { 'content-type': type, 'x-limit': limit, 'x-edge': edge } = answer.headers;
      deepStrictEqual([answer.statusCode, type, limit, edge], [404, 'application/problem+json; charset=utf-8', 'inner', 'yes']);
      deepStrictEqual(await text(answer), '{"code":"bot_unknown"}');
    },
  },
  {
    name: 'refuses a body over the limit as the service does',
    async run({ port }) {
      const body = `"${'x'.repeat(5 * 1024 * 1024)}"`;
      const answer = await send(port, 'POST', '/echo', { 'content-type': 'application/json' }, body);
      deepStrictEqual(answer.statusCode, 413);
      answer.resume();
    },
  },
  {
    name: 'closes the connection of a client whose request is incomplete after the time limit',
    async run({ port }) {
      const socket = connect(port, '127.0.0.1');
      socket.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
      const answer = await text(socket);
      ok(answer.startsWith('HTTP/1.1 408 '), answer);
      ok(/^connection: close\r$/im.test(answer), answer);
    },
  },
  {
    name: 'forwards a stream event by event, and ends it at the service when the client leaves',
    async run({ port, events }) {
      const answer = await send(port, 'GET', '/stream');
      deepStrictEqual(String((await once(answer, 'data'))[0]), 'data: 1\n\n');
      events.emit('more');
      deepStrictEqual(String((await once(answer, 'data'))[0]), 'data: 2\n\n');
      const gone = once(events, 'gone');
      answer.destroy();
      await gone;
    },
  },
  {
    name: 'passes the trailers of a stream on',
    async run({ port }) {
      const answer = await send(port, 'GET', '/with-trailer');
      deepStrictEqual(await text(answer), 'data: 1\n\n');
      deepStrictEqual([answer.headers.trailer, answer.trailers], ['x-cost', { 'x-cost': '7' }]);
    },
  },
  {
    name: 'reaches a service that refuses many requests in the form of another API',
    async run({ port }) {
      for (let request = 0; request < 20; request++) (await send(port, 'GET', '/another-form')).resume();
      deepStrictEqual((await send(port, 'GET', '/who')).statusCode, 200);
    },
  },
  {
    name: 'disconnects a client that reads nothing of an answer, after ten seconds',
    async run(rig) {
      const { client, atEdge } = await clientOf(rig, '/large');
      await waitFor(() => atEdge.writableLength > 0, { what: 'bytes that the client does not read' });
      deepStrictEqual(atEdge.timeout, PATIENCE_MILLIS);
      const left = once(client, 'close');
      atEdge.emit('timeout');
      client.resume();
      await left;
      ok(client.bytesRead < 8 * 1024 * 1024);
    },
  },
  {
    name: 'keeps a client that has read all there is of a stream',
    async run(rig) {
      const { client, atEdge } = await clientOf(rig, '/stream');
      await once(client, 'data');
      await waitFor(() => atEdge.writableLength === 0, { what: 'the first event to be sent' });
      atEdge.emit('timeout');
      rig.events.emit('more');
      const next = once(client, 'data') as Promise<[Buffer]>;
      const [data] = await Promise.race([next, once(client, 'close').then(() => [''])]);
      ok(String(data).includes('data: 2'));
      client.destroy();
    },
  },
  {
    name: 'answers 503 with a problem and Retry-After when the service is down',
    async run({ port, stopService }) {
      await stopService();
      for (const method of ['GET', 'POST']) {
        const answer = await send(port, method, '/who');
        const { code, request_id } = (await json(answer)) as Record<string, string>;
        deepStrictEqual([answer.statusCode, code, request_id], [503, 'service_unavailable', 'r-1']);
        ok(Number(answer.headers['retry-after']) > 0);
      }
    },
  },
];

const json = async (answer: IncomingMessage): Promise<unknown> => JSON.parse(await text(answer));

async function send(port: number, method: string, path: string, headers = {}, body?: string | Buffer): Promise<IncomingMessage> {
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: new Agent({ keepAlive: false }) });
  const answered = once(request, 'response');
  request.on('error', () => {});
  request.end(body);
  const [answer] = (await answered) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

/** A client that has sent a request and reads nothing yet, and its connection at the edge. */
async function clientOf({ port, server }: ForwardRig, path: string) {
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1').on('error', () => {});
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [atEdge] = await connected;
  return { client, atEdge };
}
