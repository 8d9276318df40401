import { createHash, randomBytes } from 'node:crypto';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Answers, Audited, Caller, Clock, FreshId, IdParam, isUlid, Needs, Open, Refuses, SignedIn, Summary } from '@parlance/service-kit';
import { IsString, Length } from 'class-validator';
import { Registration } from '../commands/registration.ts';
import { Sessions, type SignedInAnswer } from '../commands/sessions.ts';
import { SignIn } from '../commands/sign-in.ts';
import { ExecuteUser } from '../commands/user.ts';
import { People } from '../projections/people.ts';
import { resetOfferAnswer, signedInAnswer } from './answers.ts';
import { IsNewPassword } from './bodies.ts';

class ChangePasswordBody {
  @Length(1, 1000) current_password!: string;
  @IsNewPassword() new_password!: string;
}

class ResetPasswordBody {
  @IsString() @Length(1, 200) reset_token!: string;
  @IsNewPassword() new_password!: string;
}

const offerSeconds = 24 * 3600;
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

@Controller()
export class PasswordController {
  constructor(
    private readonly commands: CommandBus,
    private readonly registration: Registration,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly clock: Clock,
  ) {}

  @Post('auth/password')
  @SignedIn()
  @HttpCode(200)
  @Audited('change_password', 'user')
  @Summary('Sets another password, ends all sessions of the user, and begins a new one.')
  @Answers(200, signedInAnswer)
  @Refuses('wrong_password', 403)
  @Refuses('too_many_attempts', 429)
  async change(@Caller() { userId }: Caller, @Body() body: ChangePasswordBody): Promise<SignedInAnswer> {
    const knownHash = await this.signIns.proveAgain(userId, body.current_password);
    if (knownHash === null) throw refuse('forbidden', 'wrong_password', 'The current password is wrong.');
    const passwordHash = await this.registration.passwordHash(userId, body.new_password);
    await this.commands.execute(new ExecuteUser(userId, { type: 'ChangePassword', knownHash, passwordHash }));
    await this.sessions.endOutdated(userId);
    return this.sessions.begin(userId, 'password');
  }

  @Post('admin/users/:userId/password-reset')
  @Needs('Admin')
  @Audited('offer_password_reset', 'user', 'userId')
  @Summary('Makes a token that sets a new password, once, within a day. An earlier one is void.')
  @Answers(201, resetOfferAnswer)
  @Refuses('user_not_found', 404)
  async offer(@FreshId() offerId: string, @IdParam('userId') userId: string) {
    const secret = randomBytes(32).toString('base64url');
    const expiresAt = Instant.plus(this.clock.now(), offerSeconds * 1000);
    const offer = { type: 'OfferPasswordReset', offerId, tokenHash: hashOf(secret), expiresAt } as const;
    const { written } = await this.commands.execute(new ExecuteUser(userId, offer));
    // To a retry that overtook the answer: the token that counts is not known any more.
    return { ...(written && { reset_token: `${userId}.${secret}` }), expires_in: offerSeconds };
  }

  @Post('auth/password-reset')
  @Open()
  @HttpCode(204)
  @Summary('Sets a new password by the token of an administrator, and ends all sessions of the user.')
  @Answers(204)
  @Refuses('invalid_reset_token', 400)
  async reset(@Body() body: ResetPasswordBody): Promise<void> {
    const [userId = '', secret = ''] = body.reset_token.split('.');
    const invalid = refuse('invalid', 'invalid_reset_token', 'The token is wrong, used or expired: ask an administrator for another.');
    if (!isUlid(userId)) throw invalid;
    const passwordHash = await this.registration.passwordHash(userId, body.new_password);
    try {
      const now = this.clock.now();
      await this.commands.execute(new ExecuteUser(userId, { type: 'ResetPassword', tokenHash: hashOf(secret), passwordHash, now }));
    } catch (error) {
      // Whether there is such a user is not told to whoever makes tokens up.
      throw (error as { code?: string }).code === 'user_not_found' ? invalid : error;
    }
    await this.sessions.endOutdated(userId);
    await this.signIns.forgive((await this.people.byId(userId)).email);
  }
}
