import { afterAll, describe, expect, it } from '@jest/globals';
import { constants, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { origin, rpId, bytesOf, cose, type Deviation, SoftwareAuthenticator } from './software-authenticator.ts';
import { PasskeyWorld } from './passkey-world.ts';

const world = await PasskeyWorld.start();
afterAll(() => world?.identity.stop());

const [OKP, EC2, RSA] = [1, 2, 3];
const [ES256, EDDSA, RS256, RS1, HS256] = [-7, -8, -257, -65_535, 5];
const P256 = 1;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
const edwards = generateKeyPairSync('ed25519');
const strong = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const rsaKey = (algorithm: number, { n, e }: { n?: string; e?: string }) =>
  cose([
    [1, RSA],
    [3, algorithm],
    [-1, bytesOf(n)],
    [-2, bytesOf(e)],
  ]);
const ecKey = (algorithm: number, curve: number, { x, y }: { x?: string; y?: string }) =>
  cose([
    [1, EC2],
    [3, algorithm],
    [-1, curve],
    [-2, bytesOf(x)],
    [-3, bytesOf(y)],
  ]);
const flags = (change: (flags: number) => number) => (data: Buffer) => {
  const changed = Buffer.from(data);
  changed[32] = change(changed[32]!);
  return changed;
};
const hash = (text: string) => createHash('sha256').update(text).digest();
const withRpHash = (text: string) => (data: Buffer) => Buffer.concat([hash(text), data.subarray(32)]);

/** Deviations that are refused both for a new passkey and for the use of one. */
const always: readonly [string, Deviation][] = [
  ['an origin without TLS', { origin: origin.replace('https', 'http') }],
  ['an origin below this one', { origin: 'https://evil.parlance.example.org' }],
  ['an origin that ends like this one', { origin: 'https://evilparlance.example.org' }],
  ['an origin that begins like this one', { origin: `${origin}.evil.example` }],
  ['an origin with a path', { origin: `${origin}/` }],
  ['an origin in capitals', { origin: origin.toUpperCase() }],
  ['no origin', { origin: '' }],
  ['the origin null', { origin: 'null' }],
  ['an origin that is a list', { clientData: { origin: [origin] } }],
  ['the origin of an app', { origin: 'android:apk-key-hash:AAAA' }],
  ['the host of the relying party in capitals', { rpId: rpId.toUpperCase() }],
  ['the relying party of the parent domain', { rpId: 'example.org' }],
  ['an empty relying party', { rpId: '' }],
  ['the origin as relying party', { changesData: withRpHash(origin) }],
  ['an empty challenge', { challenge: '' }],
  ['a challenge that is a list', { clientData: { challenge: ['AAAA'] } }],
  ['no user present', { userPresent: false }],
  ['the type of a payment', { type: 'payment.get' }],
  ['no type', { clientData: { type: null } }],
  ['a backup state without backup eligibility', { changesData: flags((all) => all & ~0x08) }],
  ['truncated data', { changesData: (data) => data.subarray(0, 36) }],
  ['data followed by other bytes', { changesData: (data) => Buffer.concat([data, randomBytes(7)]) }],
  ['a flag for extensions that are absent', { changesData: flags((all) => all | 0x80) }],
  ['a token binding without its kind', { clientData: { tokenBinding: 'x' } }],
];

describe('a new passkey', () => {
  it.each<[string, Deviation]>([
    ...always,
    ['the type of a use', { type: 'webauthn.get' }],
    ['no key', { changesData: (data) => data.subarray(0, 37) }],
    ['a flag for a credential that is absent', { changesData: (data) => data.subarray(0, 55) }],
    ['an empty ID', { credentialId: Buffer.alloc(0) }],
    ['a key that is not a map', { publicKey: Buffer.from([0x05]) }],
    ['an empty key', { publicKey: cose([]) }],
    [
      'a symmetric key',
      {
        publicKey: cose([
          [1, 4],
          [3, HS256],
          [-1, randomBytes(32)],
        ]),
      },
    ],
    [
      'a key without an algorithm',
      {
        publicKey: cose([
          [1, EC2],
          [-1, P256],
          [-2, bytesOf(ec.x)],
          [-3, bytesOf(ec.y)],
        ]),
      },
    ],
    ['a key of RS1', { publicKey: rsaKey(RS1!, rsa(2_048)) }],
    ['a key of ES384', { publicKey: ecKey(-35, 2, wide) }],
    ['a key of PS256', { publicKey: rsaKey(-37, rsa(2_048)) }],
    ['an RSA key that claims to be ES256', { publicKey: rsaKey(ES256!, rsa(2_048)) }],
    ['an RSA key that claims to be EdDSA', { publicKey: rsaKey(EDDSA!, rsa(2_048)) }],
    ['an elliptic-curve key that claims to be RS256', { publicKey: ecKey(RS256!, P256, ec) }],
    ['a P-384 key that claims to be P-256', { publicKey: ecKey(ES256!, P256, wide) }],
    ['a point that is not on the curve', { publicKey: ecKey(ES256!, P256, { x: ec.x!, y: ec.x! }) }],
    [
      'the point at infinity',
      {
        publicKey: cose([
          [1, EC2],
          [3, ES256!],
          [-1, P256],
          [-2, new Uint8Array(32)],
          [-3, new Uint8Array(32)],
        ]),
      },
    ],
    ['an RSA key of 512 bits', { publicKey: rsaKey(RS256!, rsa(512)) }],
    ['an RSA key of 1,024 bits', { publicKey: rsaKey(RS256!, rsa(1_024)) }],
    ['an RSA key with the exponent 1', { publicKey: rsaKey(RS256!, { n: rsa(2_048).n!, e: 'AQ' }) }],
    [
      'an Edwards key of 31 bytes',
      {
        publicKey: cose([
          [1, OKP],
          [3, EDDSA!],
          [-1, 6],
          [-2, randomBytes(31)],
        ]),
      },
    ],
    ['an unknown attestation', { attested: { fmt: 'fido-u2f' } }],
    ['an Android attestation', { attested: { fmt: 'android-safetynet', attStmt: new Map([['ver', '1']]) } }],
    ['a statement without an attestation format', { attested: { attStmt: new Map([['sig', randomBytes(8)]]) } }],
    [
      'an attestation signed by another key',
      {
        attested: {
          fmt: 'packed',
          attStmt: new Map<string, unknown>([
            ['alg', ES256],
            ['sig', new Uint8Array(70)],
          ]),
        },
      },
    ],
    [
      'an attestation by ECDAA',
      {
        attested: {
          fmt: 'packed',
          attStmt: new Map<string, unknown>([
            ['alg', ES256],
            ['sig', new Uint8Array(70)],
            ['ecdaaKeyId', new Uint8Array(8)],
          ]),
        },
      },
    ],
  ])('is not added with %s', async (_, over) => {
    const who = await world.person();
    const { status, body } = await world.confirm(who, new SoftwareAuthenticator().create((await world.offer(who)).options, over));
    expect([status, body.code]).toEqual([400, expect.stringMatching(/^invalid_(passkey|body)$/)]);
    expect((await world.identity.ask('get', '/user/me/factors', who)).body.factors).toEqual([]);
  });

  it.each<[string, Buffer, (signed: Buffer) => Buffer]>([
    [
      'an Edwards key',
      cose([
        [1, OKP],
        [3, EDDSA!],
        [-1, 6],
        [-2, bytesOf(edwards.publicKey.export({ format: 'jwk' }).x)],
      ]),
      (signed) => sign(null, signed, edwards.privateKey),
    ],
    [
      'an RSA key of 2,048 bits',
      rsaKey(RS256!, strong.publicKey.export({ format: 'jwk' })),
      (signed) => sign('sha256', signed, { key: strong.privateKey, padding: constants.RSA_PKCS1_PADDING }),
    ],
  ])('may have %s, and then signs in', async (_, publicKey, signs) => {
    const who = await world.person();
    const authenticator = new SoftwareAuthenticator();
    expect((await world.confirm(who, authenticator.create((await world.offer(who)).options, { publicKey }))).status).toBe(200);
    expect((await (await world.alone(authenticator)).send()).body.code).toBe('wrong_passkey');
    expect((await (await world.alone(authenticator, { signs })).send()).body.user.email).toBe(who.email);
  });

  it("with the public key of another user gives neither user access to the other's account", async () => {
    const victim = await world.enrolled();
    const thief = await world.person();
    const copy = new SoftwareAuthenticator();
    const made = copy.create((await world.offer(thief)).options, { publicKey: victim.authenticator.publicKey() });
    expect((await world.confirm(thief, made)).status).toBe(200);
    expect((await (await world.alone(copy)).send()).body.code).toBe('wrong_passkey');
    const handle = Buffer.from(victim.userId).toString('base64url');
    expect((await (await world.alone(copy, { userHandle: handle })).send()).body.code).toBe('wrong_passkey');
    const step = await world.alone(victim.authenticator, { credentialId: copy.credentialId });
    expect((await step.send()).body.code).toBe('wrong_passkey');
    expect((await (await world.alone(victim.authenticator)).send()).body.user.email).toBe(victim.email);
  });
});

describe('a use of a passkey', () => {
  it.each<[string, Deviation]>([
    ...always,
    ['the type of a new passkey', { type: 'webauthn.create' }],
    ['a user who was not verified', { verifiesUser: false }],
    ['an empty signature in DER', { tamper: () => Buffer.from('3006020100020100', 'hex') }],
    ['a signature with zeros', { tamper: () => Buffer.concat([Buffer.from('3044', 'hex'), zero, zero]) }],
    ['a signature that is not DER', { tamper: () => randomBytes(64) }],
    [
      'a signature over something else',
      { signs: () => sign('sha256', Buffer.from('x'), generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey) },
    ],
    ['the user handle of another user', { userHandle: Buffer.from('01K00000000000000000000000').toString('base64url') }],
    ['an unknown ID', { credentialId: randomBytes(32) }],
  ])('signs nobody in with %s', async (_, over) => {
    const { authenticator } = await world.enrolled();
    const { status, body } = await (await world.alone(authenticator, over)).send();
    expect([status, body.code]).toEqual([expect.any(Number), expect.stringMatching(/^(wrong_passkey|invalid_body)$/)]);
    expect([400, 401]).toContain(status);
  });

  it('answers no form of an answer with a 5xx, and signs in with none but the right one', async () => {
    const who = await world.enrolled();
    const right = await world.alone(who.authenticator);
    const text = fc.oneof(
      fc.base64String().map((each) => each.replace(/[+/=]/g, '_')),
      fc.string(),
      fc.constant(''),
      fc.constant('A'.repeat(4_001)),
    );
    const value = fc.oneof(text, fc.anything({ maxDepth: 1 }));
    const path = fc.constantFrom(
      ['id'],
      ['rawId'],
      ['type'],
      ['response'],
      ...['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'].map((name) => ['response', name]),
    );
    await fc.assert(
      fc.asyncProperty(path, value, async ([first, second], put) => {
        const passkey = structuredClone(right.body.passkey) as unknown as Record<string, Record<string, unknown>>;
        const before = JSON.stringify(passkey);
        if (second === undefined) passkey[first!] = put as never;
        else passkey[first!]![second] = put;
        // The type is not signed, and is not looked at.
        if (first === 'type' || JSON.stringify(passkey) === before) return;
        const { status } = await world.identity.ask('post', '/auth/passkeys', null, { ...right.body, passkey });
        expect([400, 401, 429]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});

const zero = Buffer.concat([Buffer.from('0220', 'hex'), Buffer.alloc(32)]);
