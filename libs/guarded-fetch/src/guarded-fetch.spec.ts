import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BOUNDS, FetchRig, HOST } from '../test/fetch-rig.ts';
import { GuardedFetch } from './guarded-fetch.ts';

describe('guarded fetch', () => {
  const rig = new FetchRig();
  beforeAll(() => rig.start());
  afterAll(() => rig.stop());
  beforeEach(() => rig.renew());
  afterEach(() => rig.guarded.close());

  it('returns the answer of an allowed address', async () => {
    rig.answer = (_, response) =>
      response.writeHead(404, { 'x-a': ['1', '2'], 'content-type': 'text/plain; charset=latin1' }).end(Buffer.from([0xe9]));
    const { status, headers, url, body } = await rig.get('/a?b#c');
    expect([status, headers['x-a'], url]).toEqual([404, '1, 2', `${rig.server.origin}/a?b`]);
    body.destroy();
    expect(await rig.text('/a')).toBe('é');
    expect(rig.received[0]?.headers).toMatchObject({ 'user-agent': 'ParlanceBot', accept: '*/*', connection: 'close' });
  });

  it('sends a POST with its headers and body', async () => {
    await rig.text('/', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json', Authorization: 'Bearer a' } });
    expect(rig.received).toMatchObject([
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
    await expect(rig.get('/', { headers: { [name]: value } })).rejects.toMatchObject({ code: 'header_invalid' });
    expect(rig.received).toEqual([]);
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
    await expect(rig.guarded.fetch(url, BOUNDS)).rejects.toMatchObject({ code: 'url_invalid' });
  });

  it('refuses ports of other protocols', async () => {
    await expect(rig.guarded.fetch(`http://${HOST}:25/`, BOUNDS)).rejects.toMatchObject({ code: 'port_forbidden' });
  });

  describe('redirects', () => {
    it('are followed', async () => {
      rig.redirect({ '/a': [301, '/b'], '/b': [302, `${rig.server.origin}/c d`] });
      const fetched = await rig.get('/a');
      expect([fetched.url, await fetched.text(100)]).toEqual([`${rig.server.origin}/c%20d`, 'at /c%20d']);
    });

    it('are bounded in number, and stop at a loop', async () => {
      rig.answer = (request, response) => response.writeHead(302, { location: `${request.url}a` }).end();
      await expect(rig.get('/', { maxRedirects: 3 })).rejects.toMatchObject({ code: 'too_many_redirects' });
      expect(rig.received).toHaveLength(4);
      rig.received = [];
      await expect(rig.get('/')).rejects.toMatchObject({ code: 'too_many_redirects' });
      expect(rig.received).toHaveLength(6);
      rig.received = [];
      rig.redirect({ '/a': [302, '/b'], '/b': [302, '/a'] });
      await expect(rig.get('/a')).rejects.toMatchObject({ code: 'too_many_redirects' });
      expect(rig.received).toHaveLength(2);
    });

    it("do not carry the caller's headers to another origin", async () => {
      rig.redirect({ '/a': [302, `${rig.other.origin}/b`], '/b': [302, `${rig.server.origin}/c`] });
      await rig.text('/a', { headers: { authorization: 'a', cookie: 'b', 'x-own': 'c' }, accept: 'text/html' });
      expect(rig.received.map(({ headers }) => [headers.authorization, headers.cookie, headers['x-own'], headers.accept])).toEqual([
        ['a', 'b', 'c', 'text/html'],
        [undefined, undefined, undefined, 'text/html'],
        [undefined, undefined, undefined, 'text/html'],
      ]);
    });

    it('stay on one host, or where the caller allows', async () => {
      rig.redirect({ '/a': [302, `${rig.other.origin}/b`] });
      await expect(rig.get('/a', { sameHostRedirectsOnly: true })).rejects.toMatchObject({ code: 'redirect_refused' });
      await expect(rig.get('/a', { mayFollow: async ({ port }: URL) => port === '' })).rejects.toMatchObject({ code: 'redirect_refused' });
      expect(rig.received.map(({ url }) => url)).toEqual(['/a', '/a']);
    });

    it('pass on an error of the caller unchanged', async () => {
      rig.redirect({ '/a': [302, '/b'] });
      const error = new Error('no rules');
      await expect(rig.get('/a', { mayFollow: () => Promise.reject(error) })).rejects.toBe(error);
    });

    it.each(['file:///etc/passwd', 'http://user@a.test/', 'http://a.test:25/', 'http://127.0.0.1/', 'gopher://a.test/'])(
      'are not followed to %s',
      async (to) => {
        rig.redirect({ '/a': [302, to] });
        await expect(rig.get('/a')).rejects.toMatchObject({ name: 'FetchRefused' });
      },
    );

    it.each([
      [303, 'GET', ''],
      [302, 'GET', ''],
      [307, 'POST', 'text'],
    ])('with status %d make a POST a %s', async (status, method, body) => {
      rig.redirect({ '/a': [status, '/b'] });
      await rig.text('/a', { method: 'POST', body: 'text', headers: { 'content-type': 'text/plain' } });
      expect(rig.received[1]).toMatchObject({ method, body, url: '/b' });
    });

    it('do not carry the body to another origin', async () => {
      rig.redirect({ '/a': [307, `${rig.other.origin}/b`] });
      await expect(rig.get('/a', { method: 'POST', body: 'secret' })).rejects.toMatchObject({ code: 'redirect_refused' });
      expect(rig.received).toHaveLength(1);
    });
  });

  it('uses no proxy from the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = rig.other.origin;
    rig.guarded = new GuardedFetch({ allowedPrivateRanges: [`${HOST}/32`] });
    expect(await rig.text()).toBe('fine');
    expect(rig.received.map(({ headers }) => headers.host)).toEqual([`${HOST}:${rig.server.port}`]);
    for (const name of names) delete process.env[name];
  });

  it('does not name resolved addresses in its messages', async () => {
    rig.guarded = new GuardedFetch({ allowedPrivateRanges: [], lookup: async () => [{ address: '10.11.12.13', family: 4 }] });
    await expect(rig.guarded.fetch('http://a.test/', BOUNDS)).rejects.toThrow(/^(?!.*10\.11).+\.$/);
  });
});
