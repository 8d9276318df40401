import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { selfSigned, waitFor } from '@parlance/testing';
import { serve, started, type TestServer } from '../test/servers.ts';
import { GuardedFetch } from './guarded-fetch.ts';

const BOUNDS = { maxBytes: 100_000, timeoutMillis: 20_000 };
const HOST = '127.0.0.9';

describe('guarded fetch', () => {
  let server: TestServer;
  let other: TestServer;
  let guarded: GuardedFetch;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let received: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[];

  beforeAll(async () => {
    const listener = async (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(request, response);
    };
    server = await serve((request, response) => void listener(request, response));
    other = await serve((request, response) => void listener(request, response), '127.0.0.10');
  });
  afterAll(async () => {
    await server.stop();
    await other.stop();
  });
  beforeEach(() => {
    received = [];
    answer = (_, response) => response.end('fine');
    guarded = new GuardedFetch({ allowedPrivateRanges: [`${HOST}/32`, '127.0.0.10/32'] });
  });
  afterEach(() => guarded.close());

  const get = (path = '/', request = {}) => guarded.fetch(`${server.origin}${path}`, { ...BOUNDS, ...request });
  const text = async (path = '/', request = {}) => (await get(path, request)).text(1_000_000);
  const redirect = (routes: Record<string, [number, string]>) => {
    answer = (request, response) => {
      const [status, location] = routes[request.url ?? ''] ?? [200, ''];
      if (status === 200) response.end(`at ${request.url}`);
      else response.writeHead(status, { location }).end();
    };
  };

  it('gives the answer of an allowed address', async () => {
    answer = (_, response) =>
      response.writeHead(404, { 'x-a': ['1', '2'], 'content-type': 'text/plain; charset=latin1' }).end(Buffer.from([0xe9]));
    const { status, headers, url, body } = await get('/a?b#c');
    expect([status, headers['x-a'], url]).toEqual([404, '1, 2', `${server.origin}/a?b`]);
    body.destroy();
    expect(await text('/a')).toBe('é');
    expect(received[0]?.headers).toMatchObject({ 'user-agent': 'ParlanceBot', accept: '*/*', connection: 'close' });
  });

  it('sends a POST with its headers and body', async () => {
    await text('/', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json', Authorization: 'Bearer a' } });
    expect(received).toMatchObject([
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', authorization: 'Bearer a' } },
    ]);
  });

  it.each([
    ['Host', 'a'],
    ['Transfer-Encoding', 'chunked'],
    ['content-length', '3'],
    ['Connection', 'upgrade'],
    ['Proxy-Authorization', 'a'],
    ['X-A', 'b\r\nX-C: d'],
    ['X-A', 'b\nc'],
    ['X-A', 'b\0'],
    ['X-A', '漢'],
    ['X A', 'b'],
    ['X-A\r\nX-B', 'b'],
    ['', 'b'],
  ])('refuses the header %j: %j', async (name, value) => {
    await expect(get('/', { headers: { [name]: value } })).rejects.toMatchObject({ code: 'header_invalid' });
    expect(received).toEqual([]);
  });

  it.each([
    'ftp://a.test/',
    'file:///etc/passwd',
    'data:,a',
    'javascript:1',
    'a.test',
    '//a.test/',
    'http://',
    'http://a b/',
    `http://a.test/${'a'.repeat(5_000)}`,
    'http://[::1',
    'http://a:99999/',
  ])('refuses the address %.40s', async (url) => {
    await expect(guarded.fetch(url, BOUNDS)).rejects.toMatchObject({ code: 'url_invalid' });
  });

  it('refuses ports of other protocols', async () => {
    await expect(guarded.fetch(`http://${HOST}:25/`, BOUNDS)).rejects.toMatchObject({ code: 'port_forbidden' });
  });

  describe('redirects', () => {
    it('are followed', async () => {
      redirect({ '/a': [301, '/b'], '/b': [302, `${server.origin}/c d`] });
      const fetched = await get('/a');
      expect([fetched.url, await fetched.text(100)]).toEqual([`${server.origin}/c%20d`, 'at /c%20d']);
    });

    it('are bounded in count, and stop at a loop', async () => {
      answer = (request, response) => response.writeHead(302, { location: `${request.url}a` }).end();
      await expect(get('/', { maxRedirects: 3 })).rejects.toMatchObject({ code: 'too_many_redirects' });
      expect(received).toHaveLength(4);
      received = [];
      await expect(get('/')).rejects.toMatchObject({ code: 'too_many_redirects' });
      expect(received).toHaveLength(6);
      received = [];
      redirect({ '/a': [302, '/b'], '/b': [302, '/a'] });
      await expect(get('/a')).rejects.toMatchObject({ code: 'too_many_redirects' });
      expect(received).toHaveLength(2);
    });

    it('take no headers of the caller to another origin', async () => {
      redirect({ '/a': [302, `${other.origin}/b`], '/b': [302, `${server.origin}/c`] });
      await text('/a', { headers: { authorization: 'a', cookie: 'b', 'x-own': 'c' }, accept: 'text/html' });
      expect(received.map(({ headers }) => [headers.authorization, headers.cookie, headers['x-own'], headers.accept])).toEqual([
        ['a', 'b', 'c', 'text/html'],
        [undefined, undefined, undefined, 'text/html'],
        [undefined, undefined, undefined, 'text/html'],
      ]);
    });

    it('keep to one host, or to what the caller wants', async () => {
      redirect({ '/a': [302, `${other.origin}/b`] });
      await expect(get('/a', { sameHostRedirectsOnly: true })).rejects.toMatchObject({ code: 'redirect_refused' });
      await expect(get('/a', { mayFollow: async ({ port }: URL) => port === '' })).rejects.toMatchObject({ code: 'redirect_refused' });
      expect(received.map(({ url }) => url)).toEqual(['/a', '/a']);
    });

    it('pass an error of the caller on as it is', async () => {
      redirect({ '/a': [302, '/b'] });
      const error = new Error('no rules');
      await expect(get('/a', { mayFollow: () => Promise.reject(error) })).rejects.toBe(error);
    });

    it.each(['file:///etc/passwd', 'http://user@a.test/', 'http://a.test:25/', 'http://127.0.0.1/', 'gopher://a.test/'])(
      'are not followed to %s',
      async (to) => {
        redirect({ '/a': [302, to] });
        await expect(get('/a')).rejects.toMatchObject({ name: 'FetchRefused' });
      },
    );

    it.each([
      [303, 'GET', ''],
      [302, 'GET', ''],
      [307, 'POST', 'text'],
    ])('with status %d make a POST a %s', async (status, method, body) => {
      redirect({ '/a': [status, '/b'] });
      await text('/a', { method: 'POST', body: 'text', headers: { 'content-type': 'text/plain' } });
      expect(received[1]).toMatchObject({ method, body, url: '/b' });
    });

    it('take no body to another origin', async () => {
      redirect({ '/a': [307, `${other.origin}/b`] });
      await expect(get('/a', { method: 'POST', body: 'secret' })).rejects.toMatchObject({ code: 'redirect_refused' });
      expect(received).toHaveLength(1);
    });
  });

  describe('bodies', () => {
    const encoded = (encoding: string, bytes: Buffer) => {
      answer = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    };

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
    ] as const)('are decompressed: %s', async (encoding, compress) => {
      encoded(encoding, compress(Buffer.from('a text')));
      expect(await text()).toBe('a text');
    });

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ] as const)('are bounded after decompression: %s', async (encoding, compress) => {
      encoded(encoding, compress(Buffer.alloc(20_000_000)));
      const { body } = await get();
      let bytes = 0;
      const reading = (async () => {
        for await (const chunk of body) bytes += (chunk as Buffer).length;
      })();
      await expect(reading).rejects.toMatchObject({ code: 'too_large' });
      expect(bytes).toBeLessThanOrEqual(BOUNDS.maxBytes);
    });

    it('are refused with several encodings, unknown ones and damaged data', async () => {
      encoded('gzip, gzip', gzipSync(gzipSync('a')));
      await expect(text()).rejects.toMatchObject({ code: 'encoding_unsupported' });
      encoded('zstd', Buffer.from('a'));
      await expect(text()).rejects.toMatchObject({ code: 'encoding_unsupported' });
      encoded('gzip', Buffer.from('this is not compressed'));
      await expect(text()).rejects.toMatchObject({ code: 'response_invalid' });
      encoded('gzip', gzipSync('a longer text').subarray(0, 20));
      await expect(text()).rejects.toMatchObject({ code: 'response_invalid' });
    });

    it('are refused at once when their announced size is too large', async () => {
      answer = (_, response) => response.writeHead(200, { 'content-length': '1000000' }).write('a');
      await expect(get()).rejects.toMatchObject({ code: 'too_large' });
    });

    it('are cut at the limit when their size is not announced', async () => {
      answer = (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(10_000)));
        };
        response.on('drain', more);
        more();
      };
      await expect(text()).rejects.toMatchObject({ code: 'too_large' });
      await expect(text('/', { maxBytes: 1_000_000 }).then((whole) => whole.length)).rejects.toMatchObject({ code: 'too_large' });
    });

    it('that end early are an error', async () => {
      answer = (_, response) => response.writeHead(200, { 'content-length': '100' }).write('a', () => response.destroy());
      await expect(text()).rejects.toMatchObject({ code: 'unreachable' });
    });

    it('that are not read close their connection at the time limit', async () => {
      let closed: Promise<unknown> | undefined;
      answer = (request, response) => {
        closed = once(request.socket, 'close');
        response.write('a');
      };
      const { body } = await get('/', { timeoutMillis: 300 });
      await closed;
      await waitFor(() => body.errored !== null);
      expect(body.errored).toMatchObject({ code: 'timeout' });
    });

    it('that are given up close their connection', async () => {
      let closed: Promise<unknown> | undefined;
      answer = (request, response) => {
        closed = once(request.socket, 'close');
        response.write('a');
      };
      (await get()).dump();
      await closed;
      const { body } = await get();
      await once(body, 'data');
      body.destroy();
      await closed;
    });
  });

  describe('time', () => {
    it('is bounded until the headers', async () => {
      answer = () => {};
      await expect(get('/', { timeoutMillis: 300 })).rejects.toMatchObject({ code: 'timeout' });
    });

    it('is bounded for a body that comes slowly', async () => {
      answer = (_, response) => {
        const drops = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(drops));
      };
      await expect(text('/', { timeoutMillis: 400 })).rejects.toMatchObject({ code: 'timeout' });
    });

    it('is bounded for a name server', async () => {
      guarded = new GuardedFetch({ allowedPrivateRanges: [], lookup: () => new Promise(() => {}) });
      await expect(guarded.fetch('http://a.test/', { ...BOUNDS, timeoutMillis: 200 })).rejects.toMatchObject({ code: 'timeout' });
    });

    it('ends with the signal of the caller, before the headers and in the body', async () => {
      const reason = new Error('enough');
      const early = new AbortController();
      answer = () => early.abort(reason);
      await expect(get('/', { signal: early.signal })).rejects.toBe(reason);
      await expect(get('/', { signal: early.signal })).rejects.toBe(reason);
      const late = new AbortController();
      answer = (_, response) => response.write('a');
      const fetched = await get('/', { signal: late.signal });
      late.abort(reason);
      await expect(fetched.text(100)).rejects.toBe(reason);
    });

    it('ends with the client', async () => {
      answer = (_, response) => response.write('a');
      const fetched = await get();
      await guarded.close();
      await expect(fetched.text(100)).rejects.toMatchObject({ code: 'closed' });
      await expect(get()).rejects.toMatchObject({ code: 'closed' });
    });
  });

  describe('answers that are not as they should be', () => {
    it.each([
      [
        'headers of 100 KB',
        (response: ServerResponse) => response.writeHead(200, { 'x-a': 'a'.repeat(100_000) }).end(),
        'headers_too_large',
      ],
      ['no HTTP', (response: ServerResponse) => response.socket?.end('220 ready\r\n'), 'response_invalid'],
      ['no answer', (response: ServerResponse) => response.socket?.destroy(), 'unreachable'],
    ])('%s', async (_, respond, code) => {
      answer = (_request, response) => void respond(response);
      await expect(get()).rejects.toMatchObject({ code });
    });

    it('a certificate that no authority signed is refused', async () => {
      const tls = await started(
        createTlsServer(selfSigned('a.test'), (_, response) => void response.end('a')),
        HOST,
        0,
      );
      await expect(guarded.fetch(`https://${HOST}:${tls.port}/`, BOUNDS)).rejects.toMatchObject({ code: 'certificate_invalid' });
      await tls.stop();
    });

    it('a closed port is unreachable, and an unknown name is unknown', async () => {
      const gone = await serve(() => {});
      await gone.stop();
      await expect(guarded.fetch(gone.origin, BOUNDS)).rejects.toMatchObject({ code: 'unreachable' });
      await expect(guarded.fetch('http://name.invalid/', BOUNDS)).rejects.toMatchObject({ code: 'host_unknown' });
    });
  });

  it('uses no proxy from the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = other.origin;
    guarded = new GuardedFetch({ allowedPrivateRanges: [`${HOST}/32`] });
    expect(await text()).toBe('fine');
    expect(received.map(({ headers }) => headers.host)).toEqual([`${HOST}:${server.port}`]);
    for (const name of names) delete process.env[name];
  });

  it('names no resolved address in its messages', async () => {
    guarded = new GuardedFetch({ allowedPrivateRanges: [], lookup: async () => [{ address: '10.11.12.13', family: 4 }] });
    await expect(guarded.fetch('http://a.test/', BOUNDS)).rejects.toThrow(/^(?!.*10\.11).+\.$/);
  });
});
