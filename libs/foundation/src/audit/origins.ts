import { Inject, Injectable } from '@nestjs/common';
import { isSealed, Shredded, Vault } from '@parlance/privacy';
import { type Origin, RequestContext } from '@parlance/observability';
import { userSubject } from '../erasure/subject-keys.ts';

const ORIGINS_REMEMBERED = 1_000;

/**
 * Seals the IP address and the user agent of a request under the key of the acting user, before they are stored with an event.
 * Erasing the user then makes them unreadable in every log, topic, copy and backup, without changing hashes of the sealed texts.
 * An unknown caller's address and user agent are stored unsealed.
 */
@Injectable()
export class Origins {
  /** Cache of sealed texts by user and plain text, because users seldom change address. An erasure makes these unreadable too. */
  private readonly recent = new Map<string, Origin>();

  constructor(@Inject(Vault) private readonly vault: Pick<Vault, 'seal'>) {}

  /**
   * Seals the origin of the current request. Call it before `RequestContext.metadata`. Rejects while the user's key cannot be read, so
   * that nothing is stored unsealed.
   */
  async seal(): Promise<void> {
    const context = RequestContext.current();
    const userId = context && RequestContext.userOf(context);
    if (!context || !userId || context.origin?.userId === userId) return;
    context.origin = { userId, ...(await this.sealed(userId, context)) };
  }

  /** For an erased user, address and user agent are null. */
  async sealed(userId: string, { ip, userAgent }: Origin): Promise<Origin> {
    const key = JSON.stringify([userId, ip, userAgent]);
    const cached = this.recent.get(key);
    if (cached) return cached;
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

/** Opens a text that `Origins` has sealed, and returns an unsealed text unchanged. Null if the user was erased. */
export async function openOrigin(vault: Pick<Vault, 'open'>, text: string | null): Promise<string | null> {
  return text !== null && isSealed(text) ? vault.open(text) : text;
}
