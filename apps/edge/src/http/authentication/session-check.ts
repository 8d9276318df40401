import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { RevocationWatcher } from '@parlance/revocation';
import type { Caller } from '@parlance/http';

/** Refuses a valid token whose session has ended or whose user is disabled. */
@Injectable()
export class SessionCheck {
  /** Of the callers of verified tokens, which live as long as those are cached. */
  private readonly keys = new WeakMap<Caller, readonly string[]>();

  constructor(private readonly watcher: RevocationWatcher) {}

  /** Throws the refusal `invalid_token`, and `service_unavailable` while the state of the session cannot be read. */
  async requireActive(caller: Caller): Promise<void> {
    const ended = this.watcher.anyRevoked(this.keysOf(caller));
    if (typeof ended === 'boolean' ? ended : await ended) {
      throw refuse('unauthenticated', 'invalid_token', 'The session of this access token has ended. Sign in again.');
    }
  }

  /** Whether the copy of the revocations is fresh and has none of this caller. If not, `requireActive` decides. */
  isKnownActive(caller: Caller): boolean {
    return this.watcher.isKnownRevoked(this.keysOf(caller)) === false;
  }

  private keysOf(caller: Caller): readonly string[] {
    let keys = this.keys.get(caller);
    if (keys === undefined) {
      keys = [`session:${caller.sessionId}`, `user:${caller.userId}`];
      this.keys.set(caller, keys);
    }
    return keys;
  }
}
