import type { CommandBus } from '@nestjs/cqrs';
import type { Clock, Streams } from '@parlance/service-kit';
import type { Passwords } from '../adapters/passwords.ts';
import { user, userStream } from '../domain/user.ts';
import type { Registration } from './registration.ts';
import { type Sessions, type SignedInAnswer, wrongCredentials } from './sessions.ts';
import { ExecuteSignInAttempts } from './sign-in-attempts.ts';

/** Signing in with a password. Whoever isn't there and whoever has another password are answered alike, and after as long. */
export class SignIn {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly registration: Registration,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `wrong_credentials`, `too_many_attempts` and `user_disabled`. */
  async withPassword(email: string, password: string): Promise<SignedInAnswer> {
    const userId = await this.registration.holderOf(email);
    const proved = await this.prove(email, userId, password);
    if (userId === null || proved === null) throw wrongCredentials();
    return this.sessions.begin(userId, 'password', proved);
  }

  /**
   * The hash that this password was found to match, or null. Every try counts, also of somebody who is signed in: a stolen
   * token is not to be a way of guessing. Throws the refusal `too_many_attempts`.
   */
  async prove(email: string, userId: string | null, password: string): Promise<string | null> {
    const emailHash = this.registration.hashOf(email);
    await this.commands.execute(new ExecuteSignInAttempts(emailHash, { type: 'Try', now: this.clock.now() }));
    const known = await this.streams.load(user, userStream(userId ?? ''));
    const passwordHash = known.status === 'registered' ? known.passwordHash : null;
    const matches = await this.passwords.matches(password, passwordHash);
    await this.commands.execute(new ExecuteSignInAttempts(emailHash, matches ? { type: 'Succeed' } : { type: 'Fail', userId }));
    return matches ? passwordHash : null;
  }

  /** After a new password was set by whoever may: earlier failures count no more. */
  async forgive(email: string): Promise<void> {
    await this.commands.execute(new ExecuteSignInAttempts(this.registration.hashOf(email), { type: 'Succeed' }));
  }
}
