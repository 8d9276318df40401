import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Answers, nameSchemas, Refuses, Summary } from '@parlance/openapi';
import { Audited, Caller, FreshId, IdParam, Needs, Open, SESSION_HEADER, SignedIn } from '@parlance/http';
import { Clock, Streams } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import { IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { mintToken, readToken } from '../../adapters/mail/link-tokens.ts';
import { SecondFactors } from '../../workflows/factors/second-factors.ts';
import { PasswordResets } from '../../workflows/mail/password-resets.ts';
import { Registration } from '../../workflows/registration.ts';
import { Sessions, SignedInAnswer } from '../../workflows/sessions.ts';
import { SignIn } from '../../workflows/sign-in.ts';
import { ExecuteUser } from '../../commands/aggregates.ts';
import { canReset, invalidResetToken, type User, user, userStream } from '../../domain/user.ts';
import { People } from '../../projections/people.ts';
import { IsGivenAddress, IsNewPassword, IsNewPasswordLater, IsPassword, requireNewPassword } from '../bodies.ts';
import { SessionCookie } from './session-cookie.ts';

class ChangePasswordBody {
  @IsPassword() current_password!: string;
  @IsNewPassword() new_password!: string;
}

class RequestResetBody {
  @IsGivenAddress() email!: string;
}

class ResetPasswordBody {
  /** Any text. All invalid tokens get the same answer. */
  @IsString() reset_token!: string;
  @IsNewPasswordLater() new_password!: string;
}

const goneCodes: ReadonlySet<string> = new Set(['user_not_found', 'user_erased']);
const RESET_VALID_SECONDS = 24 * 3600;

const ResetOffer = z.object({
  reset_token: z.string().optional().meta({ 'x-secret': true, description: 'Reset token. Only in the first answer to a request.' }),
  expires_in: z.int().describe('Seconds'),
});

nameSchemas({ PasswordResetOffer: ResetOffer });

@Controller()
export class PasswordController {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly registration: Registration,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly cookies: SessionCookie,
    private readonly clock: Clock,
    private readonly resets: PasswordResets,
    private readonly factors: SecondFactors,
  ) {}

  @Post('auth/password')
  @SignedIn()
  @HttpCode(200)
  @Audited('change_password', 'user')
  @Summary('Change the password, end all sessions of the user, and begin a new one.')
  @Answers(200, SignedInAnswer)
  @Refuses('invalid_session_header', 400)
  @Refuses('password_not_new', 400)
  @Refuses('wrong_password', 403)
  @Refuses('too_many_attempts', 429)
  async change(
    @Caller() { userId }: Caller,
    @Body() body: ChangePasswordBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<SignedInAnswer> {
    const inCookie = this.cookies.isWanted(header);
    const knownHash = await this.signIns.requireOwnPassword(userId, body.current_password);
    await this.requireOtherPassword(await this.streams.load(user, userStream(userId)), body.new_password);
    const passwordHash = await this.registration.passwordHash(userId, body.new_password);
    const { position } = await this.commands.execute(new ExecuteUser(userId, { type: 'ChangePassword', knownHash, passwordHash }));
    await this.sessions.endOutdated(userId, position);
    return this.cookies.deliverTokens(reply, inCookie, await this.sessions.begin(userId, 'password'));
  }

  @Post('admin/users/:userId/password-reset')
  @Needs('Admin')
  @Audited('offer_password_reset', 'user', 'userId')
  @Summary('Create a token that sets a new password. It works once, within a day. Earlier tokens become invalid.')
  @Answers(201, ResetOffer)
  @Refuses('step_up_required', 403)
  @Refuses('user_not_found', 404)
  @Refuses('service_account', 409)
  async offer(
    @FreshId() offerId: string,
    @Caller() caller: Caller,
    @IdParam('userId') userId: string,
  ): Promise<z.infer<typeof ResetOffer>> {
    // Anybody with the token can become this user.
    await this.factors.requireFreshIfNeeded(caller.userId, caller.sessionId);
    const { token, hash: tokenHash } = mintToken(userId);
    const expiresAt = Instant.plus(this.clock.now(), RESET_VALID_SECONDS * 1000);
    const offer = { type: 'OfferPasswordReset', offerId, tokenHash, expiresAt } as const;
    const { written } = await this.commands.execute(new ExecuteUser(userId, offer));
    // For a retry after a lost answer: the valid token is no longer known.
    return { ...(written && { reset_token: token }), expires_in: RESET_VALID_SECONDS };
  }

  @Post('auth/password-reset/request')
  @Open()
  @HttpCode(202)
  @Summary(
    'Request a mail with a token that sets a new password. The token works once, within an hour. The answer is the same whether or not a user has the address. An address gets one mail in five minutes.',
  )
  @Answers(202)
  @Refuses('mail_disabled', 403)
  async requestMail(@FreshId() mailId: string, @Body() { email }: RequestResetBody): Promise<void> {
    await this.resets.request(mailId, email);
  }

  @Post('auth/password-reset')
  @Open()
  @HttpCode(204)
  @Summary('Set a new password with a token from an administrator or a mail, and end all sessions of the user.')
  @Answers(204)
  @Refuses('invalid_reset_token', 400)
  @Refuses('password_not_new', 400)
  async reset(@Body() body: ResetPasswordBody): Promise<void> {
    const shown = readToken(body.reset_token);
    if (shown === null) throw invalidResetToken();
    const { id: userId, hash: tokenHash } = shown;
    // The token is checked first, so that a caller without a valid one neither learns about the new password nor causes a hash.
    const state = await this.streams.load(user, userStream(userId));
    if (!canReset(state, tokenHash, this.clock.now())) throw invalidResetToken();
    RequestContext.concern(userId);
    requireNewPassword('new_password', body.new_password);
    await this.requireOtherPassword(state, body.new_password);
    try {
      const passwordHash = await this.registration.passwordHash(userId, body.new_password);
      await this.commands.execute(new ExecuteUser(userId, { type: 'ResetPassword', tokenHash, passwordHash, now: this.clock.now() }));
    } catch (error) {
      // The user was erased meanwhile.
      throw goneCodes.has((error as { code?: string }).code ?? '') ? invalidResetToken() : error;
    }
    await this.sessions.endOutdated(userId);
    await this.signIns.clearFailures((await this.people.byId(userId)).email);
  }

  /** A temporary password cannot be kept, because an administrator knows it. Throws the refusal `password_not_new`. */
  private async requireOtherPassword(state: User, password: string): Promise<void> {
    if (state.status !== 'registered' || !state.mustChangePassword || state.passwordHash === null) return;
    if (await this.registration.passwordMatches(password, state.passwordHash))
      throw refuse('invalid', 'password_not_new', 'This is the temporary password. Choose another one.', {
        errors: [{ path: 'new_password', message: 'must differ from the temporary password' }],
      });
  }
}
