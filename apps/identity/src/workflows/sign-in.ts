import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { user, userStream } from '../domain/user.ts';
import { Addresses } from './addresses.ts';
import { Registration } from './registration.ts';
import { Sessions, type SessionTokens, wrongCredentials } from './sessions.ts';
import { ExecuteSignInAttempts } from '../commands/aggregates.ts';

/** Signing in with a password. An unknown user and a wrong password are answered alike, and after as long. */
@Injectable()
export class SignIn {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `wrong_credentials`, `too_many_attempts` and `user_disabled`. */
  async withPassword(email: string, password: string): Promise<SessionTokens> {
    const userId = await this.addresses.holderOf(email);
    if (userId !== null) RequestContext.concern(userId);
    const proved = await this.checkPassword(this.addresses.hashOf(email), userId, password, false);
    if (userId === null || proved === null) throw wrongCredentials();
    // From here on it is known who asks, also for the record of a refusal.
    RequestContext.identify({ userId, groups: [], sessionId: null, kind: 'user' });
    return this.sessions.begin(userId, 'password', proved);
  }

  /**
   * The hash that this password of a signed-in user was found to match, or null. A stolen token is not to be a way of
   * guessing, so these tries are counted too; apart, or strangers who guess could keep the owner from choosing another
   * password. Throws the refusal `too_many_attempts`.
   */
  async checkOwnPassword(userId: string, password: string): Promise<string | null> {
    return this.checkPassword(this.addresses.hashOf(`${userId}@session`), userId, password, true);
  }

  /** After a new password was set by a caller with the right: earlier failures count no more. */
  async clearFailures(email: string): Promise<void> {
    await this.commands.execute(new ExecuteSignInAttempts(this.addresses.hashOf(email), { type: 'ClearFailures' }));
  }

  private async checkPassword(attempts: string, userId: string | null, password: string, signedIn: boolean): Promise<string | null> {
    await this.commands.execute(new ExecuteSignInAttempts(attempts, { type: 'Try', now: this.clock.now() }));
    const known = await this.streams.load(user, userStream(userId ?? ''));
    const passwordHash = known.status === 'registered' ? known.passwordHash : null;
    const matches = await this.registration.passwordMatches(password, passwordHash);
    // Refuses where too many were wrong meanwhile: then the caller does not learn what this check has found.
    const outcome = { type: 'Conclude', matches, userId, signedIn, now: this.clock.now() } as const;
    await this.commands.execute(new ExecuteSignInAttempts(attempts, outcome));
    return matches ? passwordHash : null;
  }
}
