import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { request, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { PATIENCE_MILLIS } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import { SignedFiles } from '../src/http/files/signed-files.ts';
import { bytes, raw } from './raw.ts';
import { type EdgeUnderTest, edgeWith, type RigOptions } from './rig.ts';

const MIB = 1024 * 1024;

describe('signed addresses of files', () => {
  let edge: EdgeUnderTest;
  let usual: EdgeUnderTest | undefined;
  const open = async (options?: RigOptions) => {
    edge = options ? await edgeWith({}, options) : (usual ??= await edgeWith({}));
  };
  afterEach(async () => {
    if (edge !== usual) return edge.stop();
    const store = await edge.host.objects.store();
    for (const key of await keys()) await store.remove(key);
  });
  afterAll(() => usual?.stop());

  /** The address at which the tests reach this edge. */
  const here = (url: string) => url.replace(/^https?:\/\/[^/]+/, edge.url);
  const uploadOf = async (
    key: string,
    { maxBytes = 100, contentType = 'text/plain', lives = 60_000, issuedTo = null as string | null } = {},
  ) => {
    const store = await edge.host.objects.store();
    const { url, headers } = await store.signedUpload(key, { contentType, maxBytes, issuedTo, expiresAt: new Date(Date.now() + lives) });
    return { url: here(url), headers };
  };
  const downloadOf = async (key: string, issuedTo: string | null = null) =>
    here((await (await edge.host.objects.store()).signedDownload(key, { issuedTo, expiresAt: new Date(Date.now() + 60_000) })).url);
  const drafts = () => readdir(join(edge.host.config.dataDir, 'objects/@drafts'));
  const keys = async () => (await (await edge.host.objects.store()).list('', { limit: 10 })).map(({ key }) => key);

  const expectNothingStored = async () => {
    await waitFor(async () => (await drafts()).length === 0);
    expect(await keys()).toEqual([]);
  };
  const expectRefused = async (answer: Response, status: number, code: string) => {
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await answer.json()).toMatchObject({
      type: `urn:parlance:problem:${code}`,
      status,
      code,
      detail: expect.stringMatching(/^[A-Z].*\.$/),
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    });
  };

  it('store a file and return it, with the headers of every answer', async () => {
    await open();
    const key = `b/${'k'.repeat(190)}/${'l'.repeat(190)}/${'m'.repeat(190)}`;
    const { url, headers } = await uploadOf(key, { contentType: 'text/plain; charset=iso-8859-1' });
    const put = await fetch(url, { method: 'PUT', headers: { ...headers, 'x-request-id': 'mine' }, body: 'content' });
    expect([put.status, put.headers.get('x-request-id')]).toEqual([200, 'mine']);
    const got = await fetch(await downloadOf(key));
    expect(await got.text()).toBe('content');
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'text/plain; charset=iso-8859-1',
      'content-disposition': expect.stringMatching(/^attachment; /),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
      'x-request-id': expect.any(String),
    });
  });

  it('store a JSON file that no route would accept as a body: too large, too deep, invalid', async () => {
    await open();
    const { url, headers } = await uploadOf('a', { contentType: 'application/json', maxBytes: 30 * MIB });
    const body = Buffer.alloc(25 * MIB, '[');
    expect((await fetch(url, { method: 'PUT', headers: { ...headers, 'idempotency-key': 'one' }, body })).status).toBe(200);
    expect((await (await edge.host.objects.store()).stat('a'))?.size).toBe(body.length);
  });

  it.each<[string, (url: URL) => void, string]>([
    ['is missing', ({ searchParams }) => searchParams.delete('signature'), 'signature_invalid'],
    ['is another one', ({ searchParams }) => searchParams.set('signature', randomBytes(32).toString('base64url')), 'signature_invalid'],
    ['is for another key', (url) => (url.pathname = '/files/b'), 'signature_invalid'],
    ['is for another size', ({ searchParams }) => searchParams.set('max', '1000'), 'signature_invalid'],
    ['is for another time', ({ searchParams }) => searchParams.set('expires', '4000000000'), 'signature_invalid'],
  ])('are refused if the signature %s', async (_, change, code) => {
    await open();
    const { url, headers } = await uploadOf('a');
    const changed = new URL(url);
    change(changed);
    await expectRefused(await fetch(changed, { method: 'PUT', headers, body: 'x' }), 403, code);
    await expectNothingStored();
  });

  it('are refused after they have expired', async () => {
    await open();
    const { url, headers } = await uploadOf('a', { lives: -5_000 });
    await expectRefused(await fetch(url, { method: 'PUT', headers, body: 'x' }), 403, 'address_expired');
  });

  it('are refused for another content type', async () => {
    await open();
    const { url } = await uploadOf('a');
    const answer = await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/html' }, body: 'x' });
    await expectRefused(answer, 415, 'content_type_differs');
    await expectNothingStored();
  });

  it('are refused for a body that is too large, announced or not', async () => {
    await open();
    const { url, headers } = await uploadOf('a', { maxBytes: 4 });
    await expectRefused(await fetch(url, { method: 'PUT', headers, body: 'fives' }), 413, 'too_large');
    const { hostname, port, pathname, search } = new URL(url);
    const sent = request({ hostname, port, path: pathname + search, method: 'PUT', headers });
    // This is more than a connection buffers. The answer arrives before the end of the body.
    sent.on('error', () => undefined).write(Buffer.alloc(MIB));
    const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number; headers: object }];
    expect(answer.statusCode).toBe(413);
    expect(answer.headers).toMatchObject({ connection: 'close' });
    expect(JSON.parse(await text(answer))).toMatchObject({ code: 'too_large' });
    sent.destroy();
    await expectNothingStored();
  });

  it('request the body only when it will be stored', async () => {
    await open();
    const { url } = await uploadOf('a');
    const begin = (search: string, type: string) =>
      `PUT /files/a${search} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const { search } = new URL(url);
    expect(await bytes(edge.url, begin(`${search}x`, 'text/plain'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await bytes(edge.url, begin(search, 'text/html'))).toMatch(/^HTTP\/1\.1 415 /);
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.write(begin(search, 'text/plain'));
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /);
    socket.write('ab');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await keys()).toEqual(['a']);
  });

  it('keep nothing of an interrupted upload', async () => {
    await open();
    const { url, headers } = await uploadOf('a');
    const { hostname, port, pathname, search } = new URL(url);
    const sent = request({ hostname, port, path: pathname + search, method: 'PUT', headers: { ...headers, 'content-length': 50 } });
    sent.on('error', () => undefined).write('half');
    await waitFor(async () => (await drafts()).length === 1);
    sent.destroy();
    await expectNothingStored();
  });

  it('refuse an upload that is too slow, and keep nothing of it', async () => {
    await open({});
    edge.app.get(SignedFiles).limits = { period: 100, bytes: 10, longest: 60_000 };
    const { url } = await uploadOf('a');
    const { search } = new URL(url);
    const answer = await bytes(
      edge.url,
      `PUT /files/a${search} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nhalf`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
    expect(answer).toMatch(/^connection: close\r$/im);
    await expectNothingStored();
  });

  it('accept an upload that is fast enough up to the time limit, and no longer', async () => {
    await open({});
    edge.app.get(SignedFiles).limits = { period: 500, bytes: 1, longest: 1_000 };
    const { url } = await uploadOf('a', { maxBytes: 10_000 });
    const { hostname, port, search } = new URL(url);
    const socket = connect(Number(port), hostname);
    const answered = text(socket);
    socket.on('error', () => undefined);
    socket.write(`PUT /files/a${search} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10000\r\n\r\n`);
    const begun = performance.now();
    const sending = setInterval(() => socket.write('x'), 20);
    try {
      expect(await answered).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(sending);
    }
    expect(performance.now() - begun).toBeGreaterThan(950);
    await expectNothingStored();
  });

  it('disconnect a client that reads nothing of a file for ten seconds', async () => {
    await open();
    const size = 16 * MIB;
    const store = await edge.host.objects.store();
    await store.put('b/long', Buffer.alloc(size), { contentType: 'text/plain' });
    const limits = jest.spyOn(ServerResponse.prototype, 'setTimeout');
    const { hostname, port, pathname, search } = new URL(await downloadOf('b/long'));
    const client = connect(Number(port), hostname).on('error', () => undefined);
    client.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(client, 'data');
    client.pause();
    const [[millis, end] = []] = limits.mock.calls;
    const [response] = limits.mock.contexts as ServerResponse[];
    limits.mockRestore();
    expect(millis).toBe(PATIENCE_MILLIS);
    await waitFor(() => response!.writableNeedDrain, { what: 'bytes that the client does not read' });
    end!();
    await once(client.resume(), 'close');
    expect(client.bytesRead).toBeLessThan(size);
  });

  it('answer 503 if the file cannot be stored', async () => {
    await open({});
    const { url, headers } = await uploadOf('a');
    await rm(join(edge.host.config.dataDir, 'objects/@drafts'), { recursive: true });
    const answer = await fetch(url, { method: 'PUT', headers, body: 'x' });
    expect(answer.headers.get('retry-after')).toBe('5');
    await expectRefused(answer, 503, 'file_not_stored');
  });

  it.each(['HEAD', 'POST', 'PATCH', 'DELETE'])('do not accept %s', async (method) => {
    await open();
    const { status, headers, body } = await raw(edge.url, new URL(await downloadOf('a')).pathname, { method });
    expect([status, headers.allow]).toEqual([405, 'GET, PUT']);
    expect(body === '').toBe(method === 'HEAD');
  });

  it('refuse in camelCase if the client requests it', async () => {
    await open();
    const answer = await fetch(`${edge.url}/files/a`, { headers: { accept: 'application/json; case=camel' } });
    expect(await answer.json()).toMatchObject({ code: 'signature_invalid', requestId: answer.headers.get('x-request-id') });
  });

  it('are subject to the allowlist of IP addresses', async () => {
    await open({ settings: { PARLANCE_ALLOWED_IP_V4_ADDRESS_RANGES: '10.0.0.0/8' } });
    await expectRefused(await fetch(await downloadOf('a')), 403, 'address_not_allowed');
  });

  it('count towards the limit of anonymous requests only if they are refused', async () => {
    await open({ settings: { PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
    const { url, headers } = await uploadOf('a');
    const forged = `${url}x`;
    const put = (to: string) => fetch(to, { method: 'PUT', headers, body: 'x' });
    for (let index = 0; index < 3; index++) expect((await put(url)).status).toBe(200);
    expect(await (await fetch(await downloadOf('a'))).text()).toBe('x');
    await expectRefused(await put(forged), 403, 'signature_invalid');
    await expectRefused(await put(forged), 429, 'too_many_requests');
    // The limit does not apply to files with a valid address.
    expect((await put(url)).status).toBe(200);
    await expectRefused(await fetch(`${edge.url}/docs`), 429, 'too_many_requests');
  });

  it("are open to web pages of the consoles' origins, and to no others", async () => {
    await open({ settings: { PARLANCE_CONSOLE_ORIGINS: 'https://console.example.org' } });
    const { url, headers } = await uploadOf('a');
    const { pathname, search } = new URL(url);
    const preflight = (origin: string) =>
      raw(edge.url, pathname + search, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
      });
    const allowed = await preflight('https://console.example.org');
    expect(allowed).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': 'https://console.example.org' } });
    expect(allowed.headers['access-control-allow-methods']).toContain('PUT');
    expect(allowed.headers['access-control-allow-headers']).toBe('content-type');
    expect((await preflight('https://evil.example.org')).headers['access-control-allow-origin']).toBeUndefined();
    const put = await fetch(url, { method: 'PUT', headers: { ...headers, origin: 'https://console.example.org' }, body: 'x' });
    expect([put.status, put.headers.get('access-control-allow-origin')]).toEqual([200, 'https://console.example.org']);
  });

  it('are refused without a signature if the services are separate processes', async () => {
    await open({ overHttp: true });
    await expectRefused(await fetch(`${edge.url}/files/a?expires=1&signature=x`), 403, 'signature_invalid');
    await expectRefused(await fetch(`${edge.url}/files/a`, { method: 'PUT', body: 'x' }), 403, 'signature_invalid');
  });
});
