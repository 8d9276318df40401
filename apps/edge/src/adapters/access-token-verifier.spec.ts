import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import type { ServiceCalls } from '@parlance/calls';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { AccessTokenVerifier } from './access-token-verifier.ts';

type Json = Readonly<Record<string, unknown>>;

const noon = Instant.ofSeconds(1_800_000_000);
const after = (seconds: number) => Instant.plus(noon, seconds * 1000);
const at = noon / 1000;

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let one: Pair, two: Pair, rsa: Pair;
let keys: JWK[];
[one, two] = [await generateKeyPair('EdDSA', { extractable: true }), await generateKeyPair('EdDSA')];
rsa = await generateKeyPair('RS256');
const jwk = async (pair: Pair, kid: string) => ({ ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA', use: 'sig' });
keys = [await jwk(one, 'one'), await jwk(two, 'two')];
const spki = await exportSPKI(one.publicKey);

const header = { alg: 'EdDSA', typ: 'at+jwt', kid: 'one' };
const claims = {
  sub: 'ann',
  email: 'ann@parlance.local',
  groups: ['Admin'],
  sid: 's1',
  iss: 'parlance',
  aud: 'parlance',
  iat: at,
  exp: at + 600,
};

const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const signed = (changedClaims: Json = {}, changedHeader: Json = {}, key = one.privateKey): Promise<string> =>
  new SignJWT({ ...claims, ...changedClaims }).setProtectedHeader({ ...header, ...changedHeader } as typeof header).sign(key);
/** Built by hand, because jose refuses to create such a token. */
async function withHeader(changes: Json): Promise<string> {
  const signing = `${encoded({ ...header, ...changes })}.${encoded(claims)}`;
  return `${signing}.${Buffer.from(await crypto.subtle.sign('Ed25519', one.privateKey, Buffer.from(signing))).toString('base64url')}`;
}
function macWith(secret: string | Buffer, changes: Json): string {
  const signing = `${encoded({ ...header, ...changes })}.${encoded(claims)}`;
  return `${signing}.${createHmac('sha256', secret).update(signing).digest('base64url')}`;
}
const without = (name: string) => signed({ [name]: undefined });

/** A verifier of an edge, and an identity service that counts requests for its keys. */
function verifier() {
  const asked: string[] = [];
  const its = { asked, keys: () => Promise.resolve({ keys: [...keys] }) };
  const calls = {
    get: (service: string, path: string) => {
      asked.push(`${service} ${path}`);
      return its.keys();
    },
  } as unknown as ServiceCalls;
  const tokens = new AccessTokenVerifier(calls);
  return { ...its, its, verify: (token: string, now: Instant = noon) => tokens.verify(token, now) };
}

const invalid = expect.objectContaining({ kind: 'unauthenticated', code: 'invalid_token' });

describe('an access token', () => {
  it('identifies the caller', async () => {
    expect(await verifier().verify(await signed())).toEqual({
      caller: { userId: 'ann', email: 'ann@parlance.local', groups: ['Admin'], sessionId: 's1', kind: 'user' },
      passwordChangeRequired: false,
      secondFactorMissing: false,
      expires: at + 600,
    });
    expect((await verifier().verify(await signed({ pcr: true }))).passwordChangeRequired).toBe(true);
    expect((await verifier().verify(await signed({ sfr: true }))).secondFactorMissing).toBe(true);
  });

  it('is refused if any character is altered or added', async () => {
    const token = await signed();
    const { verify } = verifier();
    await verify(token);
    const taken: string[] = [];
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= ') {
      // Every position of the signature, and some positions of the signed part.
      for (let index = 0; index <= token.length; index += index < token.lastIndexOf('.') ? 7 : 1) {
        const altered = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
        const longer = `${token.slice(0, index)}${other}${token.slice(index)}`;
        for (const changed of [altered, longer])
          if (changed !== token)
            await verify(changed).then(
              () => taken.push(changed),
              () => undefined,
            );
      }
    }
    expect(taken).toEqual([]);
  });

  it.each<[string, () => string | Promise<string>]>([
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, () => string] => [
      `the algorithm ${JSON.stringify(alg)}`,
      () => `${encoded({ ...header, alg })}.${encoded(claims)}.AA`,
    ]),
    ['no algorithm', () => withHeader({ alg: undefined })],
    ['no signature', async () => `${(await signed()).split('.').slice(0, 2).join('.')}.`],
    ['HS256 by the public key as text', () => macWith(spki, { alg: 'HS256' })],
    ['HS256 by the public key as JWK', () => macWith(JSON.stringify(keys[0]), { alg: 'HS256' })],
    ['HS256 by the bytes of the public key', () => macWith(Buffer.from(keys[0]?.x ?? '', 'base64url'), { alg: 'HS256' })],
    ['HS256 under the name of EdDSA', () => macWith(spki, {})],
    ['RS256', () => signed({}, { alg: 'RS256' }, rsa.privateKey)],
    ['the ID of another of our keys', () => signed({}, { kid: 'two' })],
    ['no key id', () => withHeader({ kid: undefined })],
    ...['../../etc/passwd', '/dev/null', "one' OR '1'='1", 'https://evil.example/jwks.json', 'one\0', '', 1, ['one'], { $ne: '' }].map(
      (kid): [string, () => Promise<string>] => [`the key id ${JSON.stringify(kid)}`, () => withHeader({ kid })],
    ),
    ['jku', () => withHeader({ jku: 'https://evil.example/jwks.json' })],
    ['jwk', () => withHeader({ jwk: keys[0] })],
    ['x5u', () => withHeader({ x5u: 'https://evil.example/cert.pem' })],
    ['x5c', () => withHeader({ x5c: ['MIIB'] })],
    ['crit', () => withHeader({ crit: ['exp'] })],
    ['an unknown critical extension', () => withHeader({ crit: ['x'], x: 1 })],
    ['b64=false', () => withHeader({ b64: false })],
    ['b64=false as critical', () => withHeader({ b64: false, crit: ['b64'] })],
    ['another type', () => signed({}, { typ: 'JWT' })],
    ['no type', () => withHeader({ typ: undefined })],
    ['another audience', () => signed({ aud: 'elsewhere' })],
    ['another issuer', () => signed({ iss: 'elsewhere' })],
    ...Object.keys(claims)
      .filter((name) => name !== 'email')
      .map((name): [string, () => Promise<string>] => [`no ${name}`, () => without(name)]),
    ...[
      { sub: '' },
      { sub: 1 },
      { sid: '' },
      { sid: null },
      { email: 1 },
      { groups: 'Admin' },
      { groups: { 0: 'Admin', length: 1 } },
      { groups: [1] },
      { groups: [['Admin']] },
      { exp: 'never' },
      { iat: 'now' },
      { pcr: 'yes' },
    ].map((invalidClaims): [string, () => Promise<string>] => [JSON.stringify(invalidClaims), () => signed(invalidClaims)]),
    ['that expired 31 seconds ago', () => signed({ exp: at - 31 })],
    ['that is not valid yet', () => signed({ nbf: at + 31 })],
    ['from the future', () => signed({ iat: at + 31 })],
    ['with another payload', async () => (await signed()).replace(/\.[^.]+\./, `.${encoded({ ...claims, groups: [], sub: 'ben' })}.`)],
    ['cut short', async () => (await signed()).slice(0, -4)],
    ['followed by more text', async () => `${await signed()}AAAA`],
    ['of five parts', async () => `${await signed()}.AA.AA`],
    ['of 20 KB', () => signed({ filling: 'x'.repeat(15_000) })],
    ['that is not JSON', () => `${encoded('{')}.${encoded('{')}.AA`],
    ['that is a list', () => `${encoded([])}.${encoded([])}.AA`],
    ['that is empty', () => ''],
  ])('is refused: %s', async (_, token) => {
    const { verify, asked } = verifier();
    await verify(await signed(), after(-10));
    await expect(verify(await token())).rejects.toEqual(invalid);
    // At most one extra fetch for a key that might be new, and no request to any other address.
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(new Set(asked)).toEqual(new Set(['identity /.well-known/jwks.json']));
  });

  it('tolerates the allowed difference between two clocks', async () => {
    const { verify } = verifier();
    for (const validClaims of [{ exp: at - 29 }, { nbf: at + 29 }, { iat: at + 29 }]) await verify(await signed(validClaims));
  });

  it('is refused after its expiry, whether or not it was cached before', async () => {
    const { verify } = verifier();
    const token = await signed();
    for (const seconds of [0, 600, 629]) await verify(token, after(seconds));
    for (const seconds of [630, 631]) {
      await expect(verify(token, after(seconds))).rejects.toEqual(invalid);
      await expect(verifier().verify(token, after(seconds))).rejects.toEqual(invalid);
    }
  });
});

describe('the keys of access tokens', () => {
  it('are fetched again for an unknown key ID, but at most once in five seconds', async () => {
    const { verify, asked } = verifier();
    const third = await generateKeyPair('EdDSA');
    const token = await signed({}, { kid: 'three' }, third.privateKey);
    await expect(verify(token)).rejects.toEqual(invalid);
    const before = keys;
    keys = [...keys, { ...(await exportJWK(third.publicKey)), kid: 'three', alg: 'EdDSA' }];
    for (let index = 0; index < 20; index++) await expect(verify(token, after(4))).rejects.toEqual(invalid);
    expect(asked).toHaveLength(1);
    await verify(token, after(5));
    expect(asked).toHaveLength(2);
    keys = before;
  });

  it('stay valid while identity is down, even if unknown key IDs are sent', async () => {
    const { verify, its } = verifier();
    await verify(await signed());
    its.keys = () => Promise.reject(new Error('down'));
    await expect(verify(await signed({}, { kid: 'unknown' }), after(10))).rejects.toThrow('down');
    await verify(await signed({ sub: 'ben' }), after(10));
  });

  it('are fetched once for concurrent requests, and again after a failure', async () => {
    const { verify, its, asked } = verifier();
    its.keys = () => Promise.reject(new Error('down'));
    const tokens = await Promise.all(['ann', 'ben', 'cat'].map((sub) => signed({ sub })));
    expect((await Promise.allSettled(tokens.map((token) => verify(token)))).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    its.keys = () => Promise.resolve({ keys });
    await Promise.all(tokens.map((token) => verify(token)));
    expect(asked).toHaveLength(2);
  });
});
