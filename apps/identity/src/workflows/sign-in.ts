import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { emailNotVerified } from '../domain/mail/email-verifications.ts';
import { user, userStream } from '../domain/user.ts';
import { type SecondFactorRequired, SecondStep } from './factors/second-step.ts';
import { Addresses } from './addresses.ts';
import { Registration } from './registration.ts';
import { Sessions, type SessionTokens, wrongCredentials } from './sessions.ts';
import { ExecuteSignInAttempts } from '../commands/aggregates.ts';

/** Signs in with a password. An unknown user and a wrong password get the same answer after the same time. */
@Injectable()
export class SignIn {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
    private readonly sessions: Sessions,
    private readonly secondStep: SecondStep,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Throws the refusals `wrong_credentials`, `too_many_attempts`, `user_disabled` and `email_not_verified`. */
  async withPassword(email: string, password: string): Promise<SessionTokens | SecondFactorRequired> {
    const userId = await this.addresses.holderOf(email);
    if (userId !== null) RequestContext.concern(userId);
    const proved = await this.checkPassword(this.addresses.hashOf(email), userId, password, false);
    if (userId === null || proved === null) throw wrongCredentials();
    // From here on, the request belongs to this user in the audit log too.
    RequestContext.identify({ userId, groups: [], sessionId: null, kind: 'user' });
    const known = await this.streams.load(user, userStream(userId));
    // Only a caller with the right password learns that the address is not verified.
    // `Sessions` refuses a password that changed meanwhile, and a disabled user.
    if (known.status === 'registered' && known.enabled && this.config.requireVerifiedEmail && !known.emailVerified)
      throw emailNotVerified();
    const isCurrent = known.status === 'registered' && known.enabled && known.passwordHash === proved;
    const required = isCurrent ? await this.secondStep.after(userId, known.epoch) : null;
    return required ?? this.sessions.begin(userId, 'password', { hash: proved });
  }

  /**
   * Returns the hash that the password of a signed-in user matches. These checks are counted too, so that a stolen token does not
   * allow guessing. They are counted separately, so that strangers cannot block a user from changing the password. Throws the refusals `wrong_password` and
   * `too_many_attempts`.
   */
  async requireOwnPassword(userId: string, password: string): Promise<string> {
    const hash = await this.checkPassword(this.addresses.hashOf(`${userId}@session`), userId, password, true);
    if (hash === null) throw refuse('forbidden', 'wrong_password', 'The current password is wrong.');
    return hash;
  }

  /** After a new password was set, earlier failures no longer count. */
  async clearFailures(email: string): Promise<void> {
    await this.commands.execute(new ExecuteSignInAttempts(this.addresses.hashOf(email), { type: 'ClearFailures' }));
  }

  private async checkPassword(attempts: string, userId: string | null, password: string, signedIn: boolean): Promise<string | null> {
    await this.commands.execute(new ExecuteSignInAttempts(attempts, { type: 'Try', now: this.clock.now() }));
    const known = await this.streams.load(user, userStream(userId ?? ''));
    const passwordHash = known.status === 'registered' ? known.passwordHash : null;
    const matches = await this.registration.passwordMatches(password, passwordHash);
    // Refused if too many checks failed meanwhile, so that the caller does not learn the result of this one.
    const outcome = { type: 'Conclude', matches, userId, signedIn, now: this.clock.now() } as const;
    await this.commands.execute(new ExecuteSignInAttempts(attempts, outcome));
    return matches ? passwordHash : null;
  }
}
