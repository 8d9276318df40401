import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Sealed, Shredded, Vault } from '@parlance/privacy';
import { userSubject } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';

/**
 * Marks that distinguish the clients of a session by their user agents: an IP address changes with the network. A mark is an HMAC
 * under a key of the session, which is sealed under the key of its user, so after an erasure no mark can be traced to a user agent.
 */
@Injectable()
export class SessionClients {
  constructor(private readonly vault: Vault) {}

  /** The sealed key for a new session. Undefined if the user was erased. */
  async newKey(userId: string): Promise<Sealed | undefined> {
    try {
      return await this.vault.seal(userSubject(userId), randomBytes(32).toString('base64url'));
    } catch (error) {
      if (error instanceof Shredded) return undefined;
      throw error;
    }
  }

  /** The mark of the client of the current request. Undefined for sessions without a key, and if the user was erased. */
  async current(sealedKey: string | undefined): Promise<string | undefined> {
    const key = sealedKey === undefined ? null : await this.vault.open(sealedKey as Sealed);
    if (key === null) return undefined;
    const mac = createHmac('sha256', key).update(RequestContext.current()?.userAgent ?? '');
    return mac.digest('base64url').slice(0, 22);
  }
}
