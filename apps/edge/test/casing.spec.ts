import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EdgeUnderTest, edgeWith } from './rig.ts';
import { talker } from './talker.ts';

const camelCase = { accept: 'application/json; case=camel' };
const type = { 'content-type': 'application/json' };

describe.each([
  ['in one process', false],
  ['over HTTP', true],
])('the case of names, %s', (_, overHttp) => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await edgeWith({ bots: talker() }, { overHttp });
  });
  afterAll(() => edge.stop());
  const send = (path: string, body: string | null, headers: Record<string, string> = {}) =>
    fetch(`${edge.url}${path}`, { method: body === null ? 'GET' : 'POST', body, headers: { ...(body !== null && type), ...headers } });

  it('may be camelCase in a body, at depth and in lists, and never in maps', async () => {
    const body = {
      botId: 'b',
      message: { content: [{ contentType: 'text' }, { mediaType: 'x' }] },
      settings: { someName: { maxTokens: 1 } },
    };
    const got = await send('/talk', JSON.stringify(body));
    expect([got.status, await got.json()]).toEqual([
      200,
      { bot_id: 'b', message: { content: [{ content_type: 'text' }, { media_type: 'x' }] }, settings: { someName: { max_tokens: 1 } } },
    ]);
  });
  it('leaves unknown names as the client wrote them', async () => {
    expect(await (await send('/talk', '{"botId":"b","someThing":1}')).json()).toEqual({ bot_id: 'b', someThing: 1 });
  });
  it('leaves every byte of a body without camelCase unchanged', async () => {
    const body = '{ "bot_id" :"B\\u0042", "settings": {"A":1.0} }';
    expect((await send('/talk', body)).headers.get('x-length')).toBe(String(body.length));
  });
  it('leaves an empty body unchanged', async () => {
    expect((await send('/refuse', '')).status).toBe(400);
  });
  it('cannot be both in one object', async () => {
    const got = await send('/talk', '{"botId":"a","bot_id":"b"}');
    expect([got.status, await got.json()]).toEqual([400, expect.objectContaining({ code: 'malformed_body' })]);
  });
  it('lets the service refuse bodies that are not JSON or have a name twice', async () => {
    expect((await send('/talk', '{"botId":')).status).toBe(400);
    expect((await send('/talk', '{"botId":1,"botId":2}')).status).toBe(200);
  });
  it('may be camelCase in a query', async () => {
    expect(await (await send('/talk?nextToken=a&other=b&X', null)).json()).toMatchObject({ url: '/talk?next_token=a&other=b&X' });
  });
  it('may be camelCase in a large body', async () => {
    const got = await send('/talk', JSON.stringify({ botId: 'x'.repeat(5 * 1024 * 1024) }));
    expect(Object.keys((await got.json()) as object)).toEqual(['bot_id']);
  });
  it('is not checked in a body that is larger than the route accepts', async () => {
    const got = await send('/talk', JSON.stringify({ botId: 'x'.repeat(7 * 1024 * 1024) }));
    expect([got.status, await got.json()]).toEqual([413, expect.objectContaining({ code: 'body_too_large' })]);
  });
  it.each([1, 100_000, 7 * 1024 * 1024])('may be camelCase in a body of chunks, if it is not too large: %i bytes', async (size) => {
    const req = httpRequest(`${edge.url}/talk`, { method: 'POST', headers: { ...type, 'transfer-encoding': 'chunked' } });
    req.write('{"bot');
    req.write(`Id":"${'x'.repeat(size)}`);
    req.end('"}');
    const [res] = await once(req, 'response');
    const isTooLarge = size > 6 * 1024 * 1024;
    expect(res.statusCode).toBe(isTooLarge ? 413 : 200);
    expect(await text(res)).toMatch(isTooLarge ? /"code":"body_too_large"/ : /^\{"bot_id":/);
  });
  it('may be camelCase in a chunked body that arrives slowly, or is empty', async () => {
    for (const [first, rest] of [
      ['{"bot', 'Id":1}'],
      ['{"bot_', 'id":1}'],
    ]) {
      const req = httpRequest(`${edge.url}/talk`, { method: 'POST', headers: type });
      req.write(first);
      // The edge has started on it before the rest is sent.
      await once(edge.server, 'request');
      req.end(rest);
      expect(await text((await once(req, 'response'))[0])).toBe('{"bot_id":1}');
    }
    const empty = httpRequest(`${edge.url}/talk`, { method: 'POST', headers: { ...type, 'transfer-encoding': 'chunked' } });
    empty.flushHeaders();
    await once(edge.server, 'request');
    empty.end();
    expect((await once(empty, 'response'))[0].statusCode).toBe(400);
  });
  it('does not delay other requests when a client leaves in the middle of a body', async () => {
    const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
    socket.write('POST /talk HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"bot');
    await once(edge.server, 'request');
    socket.destroy();
    expect((await send('/talk', '{"botId":1}')).status).toBe(200);
  });

  it('gives no client more time for a body', async () => {
    edge.server.headersTimeout = edge.server.requestTimeout = 200;
    const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
    socket.write('POST /talk HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"bot');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*request_timeout/s);
    edge.server.headersTimeout = edge.server.requestTimeout = 30_000;
  });

  it('is snake_case in answers, unless the client requests the other', async () => {
    expect(await (await send('/talk', '{"bot_id":1}')).text()).toBe('{"bot_id":1}');
    const got = await send('/talk', '{"bot_id":1,"by_model":{"some_model":1},"other_name":2}', camelCase);
    expect(await got.text()).toBe('{"botId":1,"byModel":{"some_model":1},"other_name":2}');
    expect(got.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await (await send('/talk', '{"bot_id":1}', { accept: 'APPLICATION/JSON;CASE=CAMEL' })).text()).toBe('{"botId":1}');
  });
  it('is camelCase in refusals too, including the paths of errors, if the client requests it', async () => {
    const got = await send('/refuse', '{"message":{"content":[{"mediaType":1}]}}', camelCase);
    expect([got.status, await got.json()]).toEqual([
      400,
      {
        code: 'invalid_body',
        detail: 'The field message.content[0].mediaType is not right.',
        message: 'The field message.content[0].mediaType is not right.',
        requestId: 'r',
        errors: [
          { path: 'message.content[0].mediaType', message: 'is not right' },
          { path: 'colour_of', message: 'is not a known field' },
        ],
      },
    ]);
  });
  it("is camelCase in the edge's own refusals", async () => {
    const got = await send('/nowhere', null, camelCase);
    expect(await got.json()).toMatchObject({ code: 'no_such_route', requestId: got.headers.get('x-request-id') });
  });
  it('leaves an event stream unchanged', async () => {
    const got = await send('/stream', null, camelCase);
    const reader = (got.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    expect(Buffer.from(value as Uint8Array).toString()).toBe('data: {"bot_id":1}\n\n');
  });
  it('cuts an answer that breaks off, instead of sending a part of it', async () => {
    await expect(send('/broken', null, camelCase).then((got) => got.text())).rejects.toThrow(/fetch failed|terminated/);
  });
});

describe('the case of names with camelCase as the default', () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await edgeWith({ bots: talker() }, { settings: { PARLANCE_WIRE_CASE: 'camel' } });
  });
  afterAll(() => edge.stop());
  const read = async (accept: string) => Object.keys((await (await fetch(`${edge.url}/talk`, { headers: { accept } })).json()) as object);

  it('is camelCase in answers', async () => expect(await read('*/*')).toContain('nextToken'));
  it('is snake_case for clients that request it', async () => expect(await read('application/json;case=snake')).toContain('next_token'));
  it('leaves the answer to a HEAD unchanged', async () => {
    expect((await fetch(`${edge.url}/talk`, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String('{"url":"/talk","next_token":"n"}'.length),
    );
  });
});
