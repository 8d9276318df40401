import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { RevocationWatcher } from '@parlance/revocation';
import type { Caller } from '@parlance/http';
import type { AccessToken } from '../../adapters/access-token-verifier.ts';
import { SessionStreams } from './session-streams.ts';

/** Refuses a valid token whose session has ended or whose user is disabled. */
@Injectable()
export class SessionCheck {
  /** The revocation keys of verified callers, kept while their tokens are cached. */
  private readonly keys = new WeakMap<Caller, readonly string[]>();

  constructor(
    private readonly watcher: RevocationWatcher,
    private readonly streams: SessionStreams,
  ) {}

  /** Throws the refusal `invalid_token`, and `service_unavailable` while the state of the session cannot be read. */
  async requireActive(caller: Caller): Promise<void> {
    const ended = this.watcher.anyRevoked(this.keysOf(caller));
    if (typeof ended === 'boolean' ? ended : await ended) {
      throw refuse('unauthenticated', 'invalid_token', 'The session of this access token has ended. Sign in again.');
    }
  }

  /** Whether the copy of the revocations is fresh and contains none for this caller. If not, `requireActive` decides. */
  isKnownActive(caller: Caller): boolean {
    return this.watcher.isKnownRevoked(this.keysOf(caller)) === false;
  }

  /** Ends a streamed answer when the session or the personal access token ends, because a stream can outlive them. */
  endWithSession({ caller, personal }: Pick<AccessToken, 'caller' | 'personal'>, res: ServerResponse): void {
    const keys = personal?.streamKeys ?? this.keysOf(caller);
    this.streams.add(keys, res);
    // The session or token may have ended since it was checked.
    if (this.watcher.isKnownRevoked(keys)) res.destroy();
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
