import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { addressSecret, Clock } from '@parlance/foundation';
import { openS3ObjectStore } from '@parlance/object-store/s3';
import { raw } from './raw.ts';
import { answerRevocations, type Revoking } from './revocations.ts';
import { type EdgeUnderTest, edgeWith, statementIn, stub } from './rig.ts';

/** What identity returns about every token. `hash` matches no token, because no request in this spec presents one. */
const tokenDetails = { user_id: 'ann', email: null, groups: ['Admin'], password_change_required: false, hash: '00', copy_seconds: 3_600 };

interface KnownToken {
  usable: boolean;
  version: number;
  readonly expires_at?: number;
  readonly allowed_ip_ranges?: readonly string[];
}

describe.each([
  ['for a file in the data directory', false],
  ['for a file in an object store', true],
])('a signed address %s', (_, isInS3) => {
  let edge: EdgeUnderTest;
  let revoking: Revoking;
  const tokens = new Map<string, KnownToken>();
  /** The services that return the location of a file. The others are unavailable. */
  let available: string[];
  const located: object[] = [];

  const storageService = (name: string) => {
    const service = stub(name);
    service.get('/internal/stored-files/location', (request, reply) => {
      if (!available.includes(name))
        return reply.code(503).type('application/problem+json').send('{"code":"service_unavailable","detail":"Down."}');
      located.push({ ...(request.query as object), by: statementIn(request).kind });
      return { url: 'https://s3.example.org/files/key?X-Amz-Expires=60' };
    });
    return service;
  };

  beforeAll(async () => {
    const identity = stub('identity');
    revoking = answerRevocations(identity);
    identity.get<{ Params: { id: string } }>('/internal/personal-tokens/:id', ({ params: { id } }, reply) => {
      const token = tokens.get(id);
      if (!token) return reply.code(404).type('application/problem+json').send('{"code":"token_not_found","detail":"No such token."}');
      const names = [`token:${id}`, `owner:ann/${token.version}`, 'groups:1'];
      return { ...tokenDetails, names, scopes: [], expires_at: 4e9, allowed_ip_ranges: [], ...token };
    });
    const services = {
      identity,
      inference: storageService('inference'),
      analytics: storageService('analytics'),
      bots: storageService('bots'),
    };
    edge = await edgeWith(services, { overHttp: isInS3, settings: { PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8,::1/128' } });
    available = ['inference', 'analytics', 'bots'];
  });
  afterAll(() => edge.stop());

  const storeOf = async () => {
    if (!isInS3) return edge.host.objects.store();
    const { publicBaseUrl: baseUrl } = edge.host.config;
    const at = { region: 'eu-central-1', bucket: 'files', accessKeyId: 'a', secretAccessKey: 'b' };
    return openS3ObjectStore({ ...at, edge: { baseUrl, secret: addressSecret(edge.host.master) } });
  };
  const issue = async (issuedTo: string | null, lifetimeMillis = 60_000) => {
    const store = await storeOf();
    if (!isInS3) await store.put('key', Buffer.from('text'), { contentType: 'text/plain' });
    const expiresAt = new Date(Date.now() + lifetimeMillis);
    const { pathname, search } = new URL((await store.signedDownload('key', { expiresAt, issuedTo, fileName: 'mine.txt' })).url);
    return pathname + search;
  };
  const download = async (address: string, headers: Record<string, string> = {}) => {
    const { status, code, headers: answered, body } = await raw(edge.url, address, { headers });
    return { outcome: code ?? status, location: answered.location, cached: answered['cache-control'], body };
  };
  const outcome = async (address: string, headers?: Record<string, string>) => (await download(address, headers)).outcome;
  const served = isInS3 ? 302 : 200;

  it('serves the file while the session that requested it lasts', async () => {
    const { outcome: status, location, cached, body } = await download(await issue('session.s0.ann'));
    expect([status, cached]).toEqual([served, 'private, no-store']);
    if (isInS3) expect(location).toBe('https://s3.example.org/files/key?X-Amz-Expires=60');
    else expect(body).toBe('text');
  });

  it('no longer works once the sign-out request has returned', async () => {
    const [ended, other] = [await issue('session.s1.ann'), await issue('session.s2.ann')];
    expect(await outcome(ended)).toBe(served);
    await revoking.revoke('session:s1');
    expect([await outcome(ended), await outcome(other)]).toEqual(['address_revoked', served]);
  });

  it('no longer works once the user is disabled', async () => {
    const address = await issue('session.s3.ben');
    await revoking.revoke('user:ben');
    expect(await outcome(address)).toBe('address_revoked');
  });

  it('no longer works once the personal access token is revoked', async () => {
    tokens.set('t1', { usable: true, version: 1 });
    const address = await issue('token.t1');
    expect(await outcome(address)).toBe(served);
    tokens.delete('t1');
    await revoking.revoke('token:t1');
    expect(await outcome(address)).toBe('address_revoked');
  });

  it('no longer works once the owner of the personal access token is disabled', async () => {
    tokens.set('t2', { usable: true, version: 1 });
    const address = await issue('token.t2');
    expect(await outcome(address)).toBe(served);
    tokens.set('t2', { usable: false, version: 2 });
    await revoking.revoke('owner:ann/1');
    expect(await outcome(address)).toBe('address_revoked');
  });

  it('no longer works once the personal access token has expired', async () => {
    const now = Instant.toSeconds(edge.app.get(Clock).now());
    tokens.set('t3', { usable: true, version: 3, expires_at: now - 1 });
    expect(await outcome(await issue('token.t3'))).toBe('address_revoked');
  });

  it('works only from the IP addresses that the personal access token allows', async () => {
    tokens.set('t4', { usable: true, version: 4, allowed_ip_ranges: ['203.0.113.0/24'] });
    const address = await issue('token.t4');
    expect(await outcome(address, { 'x-forwarded-for': '203.0.113.7' })).toBe(served);
    expect(await outcome(address, { 'x-forwarded-for': '198.51.100.7' })).toBe('address_revoked');
  });

  it('is refused if the session in it was changed, removed or added', async () => {
    const address = await issue('session.s1.ann');
    const unbound = await issue(null);
    expect(await outcome(unbound)).toBe(served);
    const changed = [
      address.replace('session.s1.ann', 'session.s2.ann'),
      address.replace(/&issued_to=[^&]*/, ''),
      address.replace(/issued_to=[^&]*/, '$&&$&'),
      `${unbound}&issued_to=session.s2.ann`,
    ];
    for (const each of changed) expect([each, await outcome(each)]).toEqual([each, 'signature_invalid']);
  });

  it('is refused if it names neither a session nor a token', async () => {
    for (const issuedTo of ['', 'ann', 'session.s1', 'token.']) expect(await outcome(await issue(issuedTo))).toBe('address_revoked');
  });

  it('is refused after its expiry', async () => {
    expect(await outcome(await issue('session.s0.ann', -1_000))).toBe('address_expired');
  });

  if (isInS3) {
    it('is resolved by any available service that stores files, which the edge calls as a service', async () => {
      available = ['bots'];
      located.length = 0;
      expect(await outcome(await issue('session.s0.ann'))).toBe(302);
      expect(located).toEqual([{ key: 'key', file_name: 'mine.txt', by: 'service' }]);
      available = [];
      expect(await outcome(await issue('session.s0.ann'))).toBe('service_unavailable');
      available = ['inference', 'analytics', 'bots'];
    });

    it('accepts no upload', async () => {
      const { pathname, search } = new URL(await issue('session.s0.ann'), edge.url);
      const put = await raw(edge.url, pathname + search, { method: 'PUT', headers: { 'content-type': 'text/plain' } });
      expect(put.code).toBe('signature_invalid');
    });
  } else {
    it('aborts a running download when the session ends', async () => {
      const store = await edge.host.objects.store();
      await store.put('large', Buffer.alloc(64 * 1024 * 1024), { contentType: 'text/plain' });
      const { url } = await store.signedDownload('large', { expiresAt: new Date(Date.now() + 60_000), issuedTo: 'session.s5.ann' });
      const { pathname, search } = new URL(url);
      const answer = await fetch(`${edge.url}${pathname}${search}`);
      expect(answer.status).toBe(200);
      await revoking.revoke('session:s5');
      await expect(answer.arrayBuffer()).rejects.toThrow();
    });
  }
});
