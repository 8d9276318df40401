import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Canaries, canaries, serve, type TestServer } from '../test/servers.ts';
import { embeddings, FORBIDDEN_V4, FORBIDDEN_V6, hosts } from '../test/spellings.ts';
import { FetchRefused } from './fetch-refused.ts';
import { GuardedFetch } from './guarded-fetch.ts';

const BOUNDS = { maxBytes: 1_000, timeoutMillis: 10_000 };
const VECTORS_AT_ONCE = 20;
const REFUSALS = new Set(['address_forbidden', 'url_invalid', 'port_forbidden', 'header_invalid', 'host_unknown']);

/** Outcomes that are not a refusal. None are expected. */
async function notRefused(vectors: readonly string[], run: (vector: string) => Promise<unknown>): Promise<readonly string[]> {
  const wrong: string[] = [];
  const queue = [...vectors];
  const worker = async () => {
    for (let vector = queue.pop(); vector !== undefined; vector = queue.pop()) {
      const outcome = await run(vector).then(
        () => 'answered',
        (error: unknown) => error,
      );
      if (!(outcome instanceof FetchRefused && REFUSALS.has(outcome.code))) wrong.push(`${vector}: ${String(outcome)}`);
    }
  };
  await Promise.all(Array.from({ length: VECTORS_AT_ONCE }, worker));
  return wrong;
}

describe('addresses that lead to a forbidden network', () => {
  let canary: Canaries;
  let redirector: TestServer;
  let guarded: GuardedFetch;
  let served = 0;

  /** The redirector is in an allowed range; the canaries are not. */
  const allowedPrivateRanges = ['127.0.0.9/32'];
  const allHosts = [
    ...FORBIDDEN_V4.flatMap(hosts),
    ...FORBIDDEN_V6.map((address) => `[${address}]`),
    '[fe80::1%25eth0]',
    '[::1%lo]',
    'localhost',
  ];
  const get = (url: string) => guarded.fetch(url, BOUNDS);

  beforeAll(async () => {
    canary = await canaries();
    redirector = await serve((request, response) => {
      served++;
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
      response.writeHead(Number(searchParams.get('status')), { location: encodeURI(searchParams.get('to') ?? '') }).end();
    });
    guarded = new GuardedFetch({ allowedPrivateRanges });
  });
  afterAll(async () => {
    await guarded.close();
    await redirector.stop();
    await canary.stop();
  });

  const direct = () => allHosts.flatMap((host) => [`http://${host}:${canary.port}/`, `https://${host}:${canary.port}/a?b`]);
  const withUserInfo = () =>
    allHosts.flatMap((host) => [`http://user:secret@${host}:${canary.port}/`, `http://example.com@${host}:${canary.port}/`]);
  const withControls = () =>
    FORBIDDEN_V4.slice(0, 3).flatMap((address) =>
      ['\r\n', '\n', '\r', '\t', '\0', ' ', '\\', '%0d%0a', '%00'].flatMap((sign) => [
        `http://${address}:${canary.port}/${sign}X-Injected: 1`,
        `http://${address}${sign}:${canary.port}/`,
        `http://${sign}${address}:${canary.port}/`,
        `ht${sign}tp://${address}:${canary.port}/`,
        `http:/${sign}/${address}:${canary.port}/`,
      ]),
    );
  const redirects = () =>
    allHosts.map((host, index) => {
      const target = `${index % 4 === 0 ? '//' : 'http://'}${host}:${canary.port}/`;
      return `${redirector.origin}/?status=${[301, 302, 303, 307, 308][index % 5]}&to=${encodeURIComponent(target)}`;
    });
  const answersOfNameServers = () => [...FORBIDDEN_V4, ...FORBIDDEN_V6, ...FORBIDDEN_V4.flatMap(embeddings), 'fe80::1%lo'];

  it('are more than 2,000 in these tests', () => {
    const count = [direct(), withUserInfo(), withControls(), redirects(), answersOfNameServers()].flat().length;
    expect(count).toBeGreaterThan(2_000);
  });

  it.each([
    ['directly', direct],
    ['after a user name', withUserInfo],
    ['with line breaks and other controls', withControls],
  ])('are refused %s, without a connection', async (_, vectors) => {
    expect(await notRefused(vectors(), get)).toEqual([]);
    expect(canary.connections()).toBe(0);
  });

  it('are refused after a redirect, without a connection', async () => {
    const before = served;
    expect(await notRefused(redirects(), get)).toEqual([]);
    expect(served - before).toBe(redirects().length);
    expect(canary.connections()).toBe(0);
  });

  it('are refused as answers of a name server, alone and after an allowed address', async () => {
    const allowed = { address: redirector.host, family: 4 };
    const run = async (address: string) => {
      const forbidden = { address, family: address.includes(':') ? 6 : 4 };
      const alone = new GuardedFetch({ allowedPrivateRanges, lookup: async () => [forbidden] });
      const mixed = new GuardedFetch({ allowedPrivateRanges, lookup: async () => [allowed, forbidden] });
      await expect(mixed.fetch(`http://mixed.test:${canary.port}/`, BOUNDS)).rejects.toMatchObject({ code: 'address_forbidden' });
      return alone.fetch(`http://alone.test:${canary.port}/`, BOUNDS);
    };
    expect(await notRefused(answersOfNameServers(), run)).toEqual([]);
    expect(canary.connections()).toBe(0);
  });

  it('are refused if a name server answers differently the second time', async () => {
    const answers = answersOfNameServers();
    const run = async (address: string) => {
      let lookups = 0;
      const lookup = async () => {
        lookups++;
        return lookups === 1 ? [{ address: redirector.host, family: 4 }] : [{ address, family: address.includes(':') ? 6 : 4 }];
      };
      const rebound = new GuardedFetch({ allowedPrivateRanges, lookup });
      const again = encodeURIComponent(`http://rebinding.test:${canary.port}/`);
      return rebound.fetch(`http://rebinding.test:${redirector.port}/?status=302&to=${again}`, BOUNDS);
    };
    expect(await notRefused(answers, run)).toEqual([]);
    expect(canary.connections()).toBe(0);
  });

  it('are looked up once for each connection, so that the checked address is the one used', async () => {
    let lookups = 0;
    const lookup = async () => {
      lookups++;
      return [{ address: lookups === 1 ? redirector.host : '127.0.0.1', family: 4 }];
    };
    const rebound = new GuardedFetch({ allowedPrivateRanges, lookup });
    const answer = await rebound.fetch(`http://rebinding.test:${redirector.port}/?status=200&to=/`, BOUNDS);
    answer.dump();
    expect([answer.status, lookups]).toEqual([200, 1]);
  });

  it('reach the canaries of this test if they are allowed', async () => {
    const open = new GuardedFetch({ allowedPrivateRanges: ['127.0.0.0/8'] });
    await expect(open.fetch(`http://0x7f.1:${canary.port}/`, BOUNDS)).rejects.toMatchObject({ code: 'unreachable' });
    expect(canary.connections()).toBe(1);
  });
});
