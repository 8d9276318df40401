import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { ExecutePasskeyClaim } from '../../commands/aggregates.ts';
import { factors, factorsStream } from '../../domain/credentials/factors.ts';
import { passkeyClaim, passkeyClaimStream } from '../../domain/credentials/passkey-claim.ts';

/** Claims on credentials. A claim is written before the passkey is added to its user, and released after the passkey was removed. */
@Injectable()
export class PasskeyClaims {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async ownerOf(credentialHash: string): Promise<string | null> {
    return (await this.streams.load(passkeyClaim, passkeyClaimStream(credentialHash))).userId;
  }

  /** Throws the refusal `passkey_taken`, unless the claim of another user is left over from a crash. */
  async claim(userId: string, credentialHash: string): Promise<void> {
    const claim = () => this.commands.execute(new ExecutePasskeyClaim(credentialHash, { type: 'Claim', userId }));
    try {
      await claim();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'passkey_taken')) throw error;
      const other = await this.ownerOf(credentialHash);
      if (other !== null && (await this.mayHave(other, credentialHash))) throw error;
      if (other !== null) await this.release(other, [credentialHash]);
      await claim();
    }
  }

  async release(userId: string, credentialHashes: readonly string[]): Promise<void> {
    for (const hash of credentialHashes) await this.commands.execute(new ExecutePasskeyClaim(hash, { type: 'Release', userId }));
  }

  /** Releases the claims of the passkeys that the user no longer has. Does nothing the second time. */
  async releaseFormer(userId: string): Promise<void> {
    const { former } = await this.streams.load(factors, factorsStream(userId));
    const owners = await Promise.all(former.map((hash) => this.ownerOf(hash)));
    await this.release(
      userId,
      former.filter((_, index) => owners[index] === userId),
    );
  }

  /** Whether the user has the passkey, or is about to add one. */
  private async mayHave(userId: string, credentialHash: string): Promise<boolean> {
    const { passkeys, passkeyOffer } = await this.streams.load(factors, factorsStream(userId));
    if (passkeys.some((passkey) => passkey.credentialHash === credentialHash)) return true;
    return passkeyOffer !== null && passkeyOffer.expiresAt > this.clock.now();
  }
}
