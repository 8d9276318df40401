import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { RevocationWatcher } from '@parlance/revocation';
import type { Caller } from '@parlance/http';

/** Refuses a valid token whose session has ended or whose user is disabled. */
@Injectable()
export class SessionCheck {
  constructor(private readonly watcher: RevocationWatcher) {}

  /** Throws the refusal `invalid_token`, and `service_unavailable` while the state of the session cannot be read. */
  async requireActive({ sessionId, userId }: Caller): Promise<void> {
    const ended = this.watcher.anyRevoked([`session:${sessionId}`, `user:${userId}`]);
    if (typeof ended === 'boolean' ? ended : await ended) {
      throw refuse('unauthenticated', 'invalid_token', 'The session of this access token has ended. Sign in again.');
    }
  }
}
