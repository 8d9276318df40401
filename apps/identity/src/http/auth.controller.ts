import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Answers, Clock, newId, Open, Refuses, Streams } from '@parlance/service-kit';
import { IsEmail, Length } from 'class-validator';
import { AccessTokens } from '../adapters/access-tokens.ts';
import { Passwords } from '../adapters/passwords.ts';
import { Registration } from '../commands/registration.ts';
import { ExecuteSession } from '../commands/session.ts';
import { user, userStream } from '../domain/user.ts';
import { People } from '../projections/people.ts';
import { userAnswer } from './answers.ts';

class SignInBody {
  @IsEmail() email!: string;
  @Length(1, 1000) password!: string;
}

@Controller('auth')
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly registration: Registration,
    private readonly passwords: Passwords,
    private readonly tokens: AccessTokens,
    private readonly people: People,
    private readonly clock: Clock,
  ) {}

  @Post('sign-in')
  @Open()
  @HttpCode(200)
  @Answers(200, {
    type: 'object',
    required: ['access_token', 'expires_in', 'user'],
    properties: { access_token: { type: 'string' }, expires_in: { type: 'integer' }, user: userAnswer },
  })
  @Refuses('wrong_credentials', 401)
  async signIn(@Body() { email, password }: SignInBody) {
    const userId = await this.registration.holderOf(email);
    const known = userId === null ? null : await this.streams.load(user, userStream(userId));
    const passwordHash = known?.status === 'registered' ? known.passwordHash : null;
    // Whoever isn't there and whoever has another password are answered alike, and after as long.
    if (!(await this.passwords.matches(password, passwordHash)) || userId === null || known?.status !== 'registered') {
      throw refuse('unauthenticated', 'wrong_credentials', 'The e-mail address or the password is wrong.');
    }
    const sessionId = newId();
    await this.commands.execute(new ExecuteSession(sessionId, { type: 'Start', userId }));
    const person = await this.people.byId(userId);
    const token = await this.tokens.issue({ userId, email: person.email, groups: known.groups, sessionId }, this.clock.now());
    return { access_token: token, expires_in: this.tokens.validSeconds, user: person };
  }
}
