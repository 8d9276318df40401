import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStore } from '@parlance/event-store';
import { type EdgeUnderTest, edgeWith, statementIn, stub } from './rig.ts';

const users = {
  post: {
    operationId: 'provision',
    security: [{ scim: [] }],
    requestBody: { content: { 'application/scim+json': {} } },
    responses: { 201: {} },
  },
  get: { operationId: 'list', security: [{ scim: [] }], responses: { 200: {} } },
};

/** An identity service that accepts one SCIM token, and refuses all others in its own form. */
function identity() {
  const service = Object.assign(stub('identity', { '/scim/v2/Users': users }), { made: [] as object[], refused: [] as unknown[] });
  const holds = (authorization: unknown) => authorization === 'Bearer good';
  service.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (_, body, done) => done(null, JSON.parse(body as string)));
  service.post<{ Body: { authorization?: string } }>('/internal/credentials/scim', ({ body }, reply) =>
    holds(body.authorization)
      ? reply.code(204).send()
      : reply
          .code(401)
          .type('application/problem+json')
          .send(JSON.stringify({ code: 'invalid_scim_token', detail: 'No.' })),
  );
  service.get('/scim/v2/Users', ({ headers }, reply) => reply.code(holds(headers.authorization) ? 404 : 401).send());
  service.post('/scim/v2/Users', (request, reply) => {
    const { headers, body } = request;
    if (!holds(headers.authorization)) {
      service.refused.push(body ?? null);
      return reply.code(401).type('application/scim+json').send('{"status":"401"}');
    }
    const made = { id: statementIn(request).nid ?? null, body };
    service.made.push(made);
    return reply.code(201).type('application/scim+json').send(JSON.stringify(made));
  });
  return service;
}

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('a route whose service checks the credential, %s,', (_shape, overHttp) => {
  let edge: EdgeUnderTest;
  let service: ReturnType<typeof identity>;
  beforeAll(async () => {
    service = identity();
    edge = await edgeWith({ identity: service }, { overHttp });
  });
  afterAll(() => edge.stop());

  const post = (headers: Record<string, string>, body: string) => {
    const { hostname, port } = new URL(edge.url);
    const sent = httpRequest({ hostname, port, path: '/scim/v2/Users', method: 'POST', headers, agent: false });
    sent.on('error', () => undefined);
    sent.write(body);
    return sent;
  };
  const scim = { 'content-type': 'application/scim+json' };

  it.each([
    ['without a credential', {}],
    ['with an invalid one', { authorization: 'Bearer bad' }],
  ])('remembers nothing about a request %s', async (_what, credential) => {
    const before = await edge.app.get(EventStore).head();
    for (let index = 0; index < 20; index++) {
      const sent = post({ ...scim, ...credential, 'idempotency-key': `key-${index}` }, '{"userName":"ann"}');
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect([answer.statusCode, await text(answer)]).toEqual([401, '{"status":"401"}']);
    }
    expect(await edge.app.get(EventStore).head()).toBe(before);
    expect(service.made).toEqual([]);
  });

  it.each<Record<string, string>>([
    { 'content-length': '4000000' },
    { 'transfer-encoding': 'chunked' },
    { 'content-length': '4000000', expect: '100-continue' },
  ])('refuses such a request before its body arrives: %j', async (length) => {
    service.refused.length = 0;
    const sent = post({ ...scim, ...length, authorization: 'Bearer bad', 'idempotency-key': 'one' }, '{"userName":');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(401);
    expect(service.refused).toEqual([null]);
    sent.destroy();
  });

  it('counts requests by a valid credential, and otherwise by the address', async () => {
    const limited = await edgeWith(
      { identity: identity() },
      { overHttp, settings: { PARLANCE_REQUESTS_PER_MINUTE: '3', PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '2' } },
    );
    const statuses = async (times: number, authorization: string) => {
      const all = [];
      for (let index = 0; index < times; index++)
        all.push((await fetch(`${limited.url}/scim/v2/Users`, { headers: { authorization } })).status);
      return all;
    };
    expect(await statuses(3, 'Bearer bad')).toEqual([401, 401, 429]);
    // The stub answers 404. The test only checks that the request reaches it.
    expect(await statuses(4, 'Bearer good')).toEqual([404, 404, 404, 429]);
    await limited.stop();
  });

  it('is reached with a valid credential, with the same ID for each key', async () => {
    const made = [];
    for (const key of ['same', 'same', 'other']) {
      const sent = post({ ...scim, authorization: 'Bearer good', 'idempotency-key': key }, '{"userName":');
      sent.end('"ann"}');
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(201);
      made.push(JSON.parse(await text(answer)));
    }
    expect(made.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => ({ userName: 'ann' })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  });
});
