import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { CommandBus } from '@nestjs/cqrs';
import type { Instant } from '@parlance/decider';
import type { MasterKey } from '@parlance/privacy';
import { newId, type Streams } from '@parlance/service-kit';
import { ExecuteSigningKeys } from '../commands/signing-keys.ts';
import { signingKeys, type SigningKey, signingKeysStream } from '../domain/signing-keys.ts';

export interface TokenSubject {
  readonly userId: string;
  readonly email: string;
  readonly groups: readonly string[];
  readonly sessionId: string;
}

const algorithm = 'EdDSA';

/** Access tokens: signed here, verified by the edge with the public keys of `/.well-known/jwks.json`. */
export class AccessTokens {
  private signer: Promise<{ kid: string; key: Awaited<ReturnType<typeof importJWK>> }> | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly master: MasterKey,
    private readonly validMinutes: number,
  ) {}

  get validSeconds(): number {
    return this.validMinutes * 60;
  }

  async issue(subject: TokenSubject, now: Instant): Promise<string> {
    const { kid, key } = await this.signingKey();
    const issuedAt = Math.floor(now / 1000);
    return new SignJWT({ email: subject.email, groups: subject.groups, sid: subject.sessionId })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
      .setSubject(subject.userId)
      .setIssuer('parlance')
      .setAudience('parlance')
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.validSeconds)
      .sign(key);
  }

  async jwks(): Promise<{ keys: readonly JWK[] }> {
    return { keys: (await this.keys()).map((key) => key.publicJwk as JWK) };
  }

  private signingKey() {
    this.signer ??= this.keys()
      .then(async (keys) => {
        const newest = keys.at(-1) as SigningKey;
        const jwk = JSON.parse(Buffer.from(this.master.unwrap(newest.wrappedPrivateJwk, `signing key ${newest.kid}`)).toString()) as JWK;
        return { kid: newest.kid, key: await importJWK(jwk, algorithm) };
      })
      .catch((error: unknown) => {
        // The next caller tries again, rather than meeting this failure for ever.
        this.signer = null;
        throw error;
      });
    return this.signer;
  }

  /** The keys of the log; the first call ever makes one. */
  private async keys(): Promise<readonly SigningKey[]> {
    const { keys } = await this.streams.load(signingKeys, signingKeysStream);
    if (keys.length > 0) return keys;
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true });
    const kid = newId();
    const { state } = await this.commands.execute(
      new ExecuteSigningKeys({
        type: 'EnsureKey',
        key: {
          kid,
          publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
          wrappedPrivateJwk: this.master.wrap(Buffer.from(JSON.stringify(await exportJWK(privateKey))), `signing key ${kid}`),
        },
      }),
    );
    return state.keys;
  }
}
