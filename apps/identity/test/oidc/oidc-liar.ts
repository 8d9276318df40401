import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { addressOf, stopServer } from './oidc-counterpart.ts';

/** How an ID token is made, and where it may be bent. */
export interface Lie {
  readonly claims?: JWTPayload;
  /** Signed by another key than the published one. */
  readonly forged?: boolean;
  readonly unsigned?: boolean;
  /** Who the userinfo endpoint speaks of. */
  readonly userinfo?: object;
}

/** A provider that says what it is told to, and no more than a sign-in needs. */
export async function openLiar() {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'only', alg: 'RS256', use: 'sig' };
  const liar = { issuer: '', nonce: '', lie: {} as Lie, status: 200, silent: false, asked: [] as string[], stop: () => stopServer(server) };

  const answers: Record<string, () => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: liar.issuer,
      authorization_endpoint: `${liar.issuer}/authorize`,
      token_endpoint: `${liar.issuer}/token`,
      jwks_uri: `${liar.issuer}/keys`,
      userinfo_endpoint: `${liar.issuer}/userinfo`,
    }),
    '/keys': () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'opaque', token_type: 'Bearer', id_token: await idToken(liar, liar.lie.forged ? other : own) }),
    '/userinfo': () => liar.lie.userinfo ?? { sub: 'ann' },
  };
  const server = createServer(async (req, res) => {
    const path = (req.url ?? '').split('?')[0] as string;
    liar.asked.push(path);
    if (liar.silent) return;
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
  if (liar.lie.unsigned) return `${part({ alg: 'none' })}.${part(claims)}.`;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'only' }).sign(privateKey);
}
