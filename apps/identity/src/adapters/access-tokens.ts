import { Injectable } from '@nestjs/common';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { CommandBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { MasterKey } from '@parlance/privacy';
import { CLOCK_MARGIN_MILLIS, Config } from '@parlance/config';
import { newId } from '@parlance/event-store';
import { Streams } from '@parlance/foundation';
import { ExecuteSigningKeys } from '../commands/aggregates.ts';
import { type SigningKey, signingKeys, signingKeysStream } from '../domain/credentials/signing-keys.ts';

export interface TokenSubject {
  readonly userId: string;
  readonly email: string;
  readonly groups: readonly string[];
  readonly sessionId: string;
  /** True: the token only allows setting a new password. */
  readonly mustChangePassword: boolean;
  /** True: the token only allows adding or proving a second factor. */
  readonly lacksSecondFactor: boolean;
}

type Signer = { readonly kid: string; readonly key: Awaited<ReturnType<typeof importJWK>> };

/** For how long a replica keeps the signing key in memory. A newer key of another replica is used after that. */
const SIGNER_CACHE_MILLIS = 60_000;
const DAY_MILLIS = 86_400_000;

const ALGORITHM = 'EdDSA';

/** Access tokens: signed here, verified by the edge with the public keys of `/.well-known/jwks.json`. */
@Injectable()
export class AccessTokens {
  private signer: { readonly until: Instant; readonly key: Promise<Signer> } | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly master: MasterKey,
    private readonly config: Config,
  ) {}

  get validSeconds(): number {
    return this.config.tokenValidMinutes * 60;
  }

  async issue(subject: TokenSubject, now: Instant): Promise<string> {
    const { kid, key } = await this.signingKey(now);
    const issuedAt = Math.floor(now / 1000);
    return new SignJWT({
      email: subject.email,
      groups: subject.groups,
      sid: subject.sessionId,
      ...(subject.mustChangePassword && { pcr: true }),
      ...(subject.lacksSecondFactor && { sfr: true }),
    })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'at+jwt' })
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

  /** Makes a new key when the newest is too old, and retires keys whose tokens have all expired. */
  async rotate(now: Instant): Promise<void> {
    const everyMillis = this.config.signingKeyDays * DAY_MILLIS;
    const newest = (await this.keys()).at(-1)?.madeAt ?? 0;
    // Making a key is expensive, so first check whether one is due. This runs every hour.
    const key = newest + everyMillis <= now ? await this.newKey(now) : ((await this.keys()).at(-1) as SigningKey);
    const tokenMillis = this.validSeconds * 1000 + CLOCK_MARGIN_MILLIS;
    await this.commands.execute(new ExecuteSigningKeys({ type: 'Rotate', key, now, everyMillis, tokenMillis }));
    this.signer = null;
  }

  private signingKey(now: Instant): Promise<Signer> {
    if (this.signer === null || this.signer.until <= now) {
      const key = this.keys().then(async (keys) => {
        const newest = keys.at(-1) as SigningKey;
        const jwk = JSON.parse(Buffer.from(this.master.unwrap(newest.wrappedPrivateJwk, `signing key ${newest.kid}`)).toString()) as JWK;
        return { kid: newest.kid, key: await importJWK(jwk, ALGORITHM) };
      });
      const signer = (this.signer = { until: Instant.plus(now, SIGNER_CACHE_MILLIS), key });
      key.catch(() => {
        // Forget the failure, so that the next caller tries again.
        if (this.signer === signer) this.signer = null;
      });
    }
    return this.signer.key;
  }

  /** The keys in the log. The first call of an installation makes one. */
  private async keys(): Promise<readonly SigningKey[]> {
    const { keys } = await this.streams.load(signingKeys, signingKeysStream);
    if (keys.length > 0) return keys;
    const { state } = await this.commands.execute(
      new ExecuteSigningKeys({ type: 'EnsureKey', key: await this.newKey(Instant.ofMillis(Date.now())) }),
    );
    return state.keys;
  }

  private async newKey(madeAt: Instant): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
    const kid = newId();
    return {
      kid,
      publicJwk: { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' },
      wrappedPrivateJwk: this.master.wrap(Buffer.from(JSON.stringify(await exportJWK(privateKey))), `signing key ${kid}`),
      madeAt,
    };
  }
}
