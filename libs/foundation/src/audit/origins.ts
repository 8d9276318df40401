import { Inject, Injectable } from '@nestjs/common';
import { isSealed, Shredded, Vault } from '@parlance/privacy';
import { type Origin, RequestContext } from '@parlance/observability';
import { userSubject } from '../erasure/subject-keys.ts';

const ORIGINS_REMEMBERED = 1_000;

/**
 * Seals the IP address and the user agent of a request under the key of the user who acts, before they are stored with an event:
 * erasing the user then removes them from every log, topic, copy and backup, and no hash over the sealed texts changes. What
 * unknown callers have caused stays as it is.
 */
@Injectable()
export class Origins {
  /** Sealed already, by the user and what was sealed. Where a user acts from seldom changes, and an erasure makes these unreadable too. */
  private readonly recent = new Map<string, Origin>();

  constructor(@Inject(Vault) private readonly vault: Pick<Vault, 'seal'>) {}

  /**
   * For the current request; to be called before its metadata are taken. Rejects while the user's key can't be read, so that nothing is
   * stored unsealed.
   */
  async seal(): Promise<void> {
    const context = RequestContext.current();
    const userId = context && RequestContext.userOf(context);
    if (!context || !userId || context.origin?.userId === userId) return;
    context.origin = { userId, ...(await this.sealed(userId, context)) };
  }

  /** Nothing is kept of a user who was erased. */
  async sealed(userId: string, { ip, userAgent }: Origin): Promise<Origin> {
    const key = JSON.stringify([userId, ip, userAgent]);
    const before = this.recent.get(key);
    if (before) return before;
    try {
      const origin = { ip: await this.text(userId, ip), userAgent: await this.text(userId, userAgent) };
      if (this.recent.size >= ORIGINS_REMEMBERED) this.recent.delete(this.recent.keys().next().value!);
      this.recent.set(key, origin);
      return origin;
    } catch (error) {
      if (error instanceof Shredded) return { ip: null, userAgent: null };
      throw error;
    }
  }

  private async text(userId: string, text: string | null): Promise<string | null> {
    return text === null || isSealed(text) ? text : this.vault.seal(userSubject(userId), text);
  }
}

/** Opens what `Origins` has sealed; what is not sealed is as it is. Null where the user was erased. */
export async function openOrigin(vault: Pick<Vault, 'open'>, text: string | null): Promise<string | null> {
  return text !== null && isSealed(text) ? vault.open(text) : text;
}
