import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleFiles } from '../src/adapters/console-files.ts';
import { builtConsole, edgeWithConsole, FRAME, INDEX, SCRIPT, SECRET } from './built-console.ts';
import { raw } from './raw.ts';
import type { EdgeUnderTest } from './rig.ts';

const SCRIPT_PATH = '/app/assets/index-D3x_a8Zk.js';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

let above = '';
let files: ConsoleFiles | null;
beforeAll(async () => {
  const built = await builtConsole();
  above = built.above;
  files = await ConsoleFiles.readFrom(built.folder);
});
afterAll(() => rm(above, { recursive: true }));

describe('the web console', () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await edgeWithConsole(files, { PARLANCE_WIRE_CASE: 'camel' });
  });
  afterAll(() => edge.stop());
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') => raw(edge.url, path, { method, headers });

  it.each(['/', '/app', '/?from=mail', '/app?x'])('is where %s leads', async (path) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.location, answer.body]).toEqual([302, '/app/', '']);
  });

  it.each([
    '/app/',
    '/app/?error=access_denied',
    '/app/index.html',
    '/app/c/01JD2V9G6K3MWRX8S5P4Q7T0ZA',
    '/app/admin/users',
    '/app/bots/b1/',
    '/app/store?query=a.b',
  ])('answers %s with its page', async (path) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([200, 'text/html; charset=utf-8', INDEX]);
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  it('has files with the content types that browsers demand', async () => {
    const found: Record<string, unknown> = {};
    for (const path of ['assets/style-BmR-91cx.css', 'assets/logo.svg', 'assets/text-Ck28dj1Q.woff2', 'console.webmanifest', 'words.json'])
      found[path] = (await ask(`/app/${path}`)).headers['content-type'];
    expect(found).toEqual({
      'assets/style-BmR-91cx.css': 'text/css; charset=utf-8',
      'assets/logo.svg': 'image/svg+xml; charset=utf-8',
      'assets/text-Ck28dj1Q.woff2': 'font/woff2',
      'console.webmanifest': 'application/manifest+json; charset=utf-8',
      'words.json': 'application/json; charset=utf-8',
    });
  });

  it('does not change the names in its JSON files, whatever the case of API answers is', async () =>
    expect((await ask('/app/words.json')).body).toBe('{"first_name":"First name"}'));

  it('lets browsers keep a file with a hash in its name for a year, and no other file without asking', async () => {
    expect((await ask(SCRIPT_PATH)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await ask('/app/assets/logo.svg')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.1, gzip;q=0.2', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ] as const)('sends the encoding that Accept-Encoding %j prefers: %p', async (accepted, encoding, decode) => {
    const answer = await bytesOf(`GET ${SCRIPT_PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n\r\n`);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Origin, Accept-Encoding');
    expect(String(decode(answer.body))).toBe(SCRIPT);
    expect(Number(answer.headers.get('content-length'))).toBe(answer.body.length);
  });
  async function bytesOf(sent: string) {
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.write(sent);
    const all = await buffer(socket);
    const end = all.indexOf('\r\n\r\n');
    const lines = all.subarray(0, end).toString().split('\r\n').slice(1);
    const headers = new Map(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
    return { headers, body: all.subarray(end + 4) };
  }

  it('answers 304 only for the entity tag of the same encoding', async () => {
    const tagOf = async (encoding: string) => String((await ask('/app/', { 'accept-encoding': encoding })).headers.etag);
    const [br, plain] = [await tagOf('br'), await tagOf('identity')];
    expect(br).not.toBe(plain);
    const again = await ask('/app/', { 'accept-encoding': 'br', 'if-none-match': br });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, '', br]);
    expect(again.headers).toMatchObject({
      'cache-control': 'no-cache',
      vary: 'Origin, Accept-Encoding',
      'content-security-policy': POLICY,
    });
    expect((await ask('/app/c/1', { 'accept-encoding': 'br', 'if-none-match': `"x", W/${br}` })).status).toBe(304);
    expect((await ask('/app/', { 'accept-encoding': 'br', 'if-none-match': plain })).status).toBe(200);
  });

  it('answers HEAD like GET, without the content', async () => {
    const [head, got] = [await ask(SCRIPT_PATH, {}, 'HEAD'), await ask(SCRIPT_PATH)];
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary', 'content-security-policy'])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    expect((await ask('/', {}, 'HEAD')).headers.location).toBe('/app/');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('does not accept %s', async (method) => {
    for (const path of ['/', '/app', '/app/', SCRIPT_PATH]) {
      const { status, code, headers } = await ask(path, {}, method);
      expect([path, status, code, headers.allow]).toEqual([path, 405, 'method_not_allowed', 'GET, HEAD']);
    }
  });
  it('refuses a request before its body arrives', async () => {
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /app/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 405 /);
  });

  it.each([
    '/app/assets/index-00000000.js',
    '/app/assets/page',
    '/app/assets/',
    '/app/favicon.ico',
    '/app/c/file.html',
    '/app/index.html.br',
    `${SCRIPT_PATH}.gz`,
    `${SCRIPT_PATH}.map`,
    '/app/program.exe',
    '/app/.hidden/notes.txt',
  ])('has no file at %s', async (path) => {
    const { status, code, headers } = await ask(path);
    expect([status, code]).toEqual([404, 'no_such_file']);
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    '/app/../secret.txt',
    '/app/..%2fsecret.txt',
    '/app/%2e%2e/secret.txt',
    '/app/%2e%2e%2fsecret.txt',
    '/app/..%5csecret.txt',
    '/app/..\\secret.txt',
    '/app/assets/../../secret.txt',
    '/app/%252e%252e%252fsecret.txt',
    '/app/secret.txt%00.html',
    '/app/%00',
    '/app/a%5cb',
    '/app/%2e%2e/etc/passwd',
    '/app//etc/passwd.txt',
    '/app/linked.txt',
    '/app/up/secret.txt',
    '/app/..',
    '/app/%2e',
    '/app/%c0%ae%c0%ae/secret.txt',
  ])('does not serve %s, which leads out of its folder', async (path) => {
    const answer = await ask(path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).not.toContain(SECRET);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it.each(['/app/', SCRIPT_PATH, '/app', '/app/nowhere.js'])('sends the headers of a web page with %s', async (path) => {
    const { headers } = await ask(path);
    expect(headers).toMatchObject({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(self), geolocation=()',
      'x-frame-options': 'DENY',
      'x-request-id': expect.any(String),
    });
    expect(headers['set-cookie']).toBeUndefined();
  });
  it('lets only itself show the frame of artifacts, in which inline scripts run and nothing can be loaded or sent', async () => {
    const frame = await ask('/app/artifact-frame.html');
    expect([frame.status, frame.headers['content-type'], frame.body]).toEqual([200, 'text/html; charset=utf-8', FRAME]);
    expect(frame.headers).toMatchObject({
      'content-security-policy':
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
      'connection-allowlist': '()',
      'x-dns-prefetch-control': 'off',
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    const unchanged = await ask('/app/artifact-frame.html', { 'if-none-match': String(frame.headers.etag) });
    expect([unchanged.status, unchanged.headers['content-security-policy']]).toEqual([304, frame.headers['content-security-policy']]);
    for (const path of ['/app/', '/app/artifact-frame', '/app/index.html'])
      expect([path, (await ask(path)).headers['content-security-policy']]).toEqual([path, POLICY]);
  });
  it('does not change the headers of API answers', async () => {
    const { headers } = await ask('/asyncapi.json');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  });

  it.each(['/', '/app', '/app/', SCRIPT_PATH])('is not served below the domain of published APIs: %s', async (path) =>
    expect((await ask(path, { host: 'x1.apis.example.org' })).status).toBe(404),
  );
  it('is in no document', async () => expect((await ask('/openapi.json')).body).not.toContain('"/app'));
});
