import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, exportPKCS8, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { addressOf, stopServer } from './oidc-counterpart.ts';

/** What is wrong with an ID token or its context. */
export interface Lie {
  readonly claims?: JWTPayload;
  /** Signed by another key than the published one. */
  readonly forged?: boolean;
  readonly unsigned?: boolean;
  /** Creates the complete ID token. */
  readonly token?: (claims: JWTPayload) => Promise<string> | string;
  /** The body of the token endpoint's answer. */
  readonly answer?: string;
  /** Changes of the metadata. */
  readonly metadata?: object;
  /** The claims of the userinfo endpoint. */
  readonly userinfo?: object;
}

/** A minimal provider that can be configured to lie. */
export async function openLiar() {
  const [own, other] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'only', alg: 'RS256', use: 'sig' };
  const pem = await exportSPKI(own.publicKey);
  const liar = {
    issuer: '',
    nonce: '',
    lie: {} as Lie,
    status: 200,
    silent: false,
    requested: [] as string[],
    bodies: [] as string[],
    jwk,
    pem,
    privateKey: await exportPKCS8(own.privateKey),
    stop: () => stopServer(server),
  };

  const answers: Record<string, () => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: liar.issuer,
      authorization_endpoint: `${liar.issuer}/authorize`,
      token_endpoint: `${liar.issuer}/token`,
      jwks_uri: `${liar.issuer}/keys`,
      userinfo_endpoint: `${liar.issuer}/userinfo`,
      ...liar.lie.metadata,
    }),
    '/keys': () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'opaque', token_type: 'Bearer', id_token: await idToken(liar, liar.lie.forged ? other : own) }),
    '/userinfo': () => liar.lie.userinfo ?? { sub: 'ann' },
  };
  const server = createServer(async (req, res) => {
    const path = (req.url ?? '').split('?')[0] as string;
    liar.requested.push(path);
    liar.bodies.push(await text(req));
    if (liar.silent) return;
    if (path === '/token' && liar.lie.answer !== undefined) {
      res.writeHead(200, { 'content-type': 'application/json' }).end(liar.lie.answer);
      return;
    }
    res.writeHead(liar.status, { 'content-type': 'application/json' }).end(JSON.stringify((await answers[path]?.()) ?? {}));
  });
  liar.issuer = await addressOf(server);
  return liar;
}

async function idToken(liar: { issuer: string; nonce: string; lie: Lie }, { privateKey }: { privateKey: CryptoKey }): Promise<string> {
  const claims = {
    iss: liar.issuer,
    aud: 'parlance',
    sub: 'ann',
    nonce: liar.nonce,
    email: 'liar@example.org',
    email_verified: true,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
    ...liar.lie.claims,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  if (liar.lie.token) return liar.lie.token(claims);
  if (liar.lie.unsigned) return `${part({ alg: 'none' })}.${part(claims)}.`;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'only' }).sign(privateKey);
}
