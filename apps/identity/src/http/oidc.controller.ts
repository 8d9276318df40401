import { Controller, Get, Headers, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, Open, SESSION_HEADER } from '@parlance/http';
import { Clock } from '@parlance/foundation';
import { Config } from '@parlance/config';
import { IsIn, IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OidcProviders } from '../adapters/oidc-providers.ts';
import { personOf } from '../commands/external-person.ts';
import { ExternalSignIn } from '../commands/external-sign-in.ts';
import { signedInAnswer } from './answers.ts';
import { OidcCookie } from './oidc-cookie.ts';
import { safeReturnTo } from './return-to.ts';
import { type HandedOver, SessionCookie } from './session-cookie.ts';

class StartQuery {
  @IsOptional() @IsString() return_to?: string;
  /** A browser that is sent somewhere cannot send the header along. */
  @IsOptional() @IsIn(['cookie']) session?: string;
}

const secretive = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

@Controller('auth/oidc/:provider')
export class OidcController {
  constructor(
    private readonly providers: OidcProviders,
    private readonly signIns: ExternalSignIn,
    private readonly cookie: OidcCookie,
    private readonly cookies: SessionCookie,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get('start')
  @Open()
  @HttpCode(302)
  @Summary('Start a sign-in with an OpenID Connect provider.')
  @Answers(302, undefined, { description: 'Redirect to the identity provider.' })
  @Refuses('invalid_return_to', 400)
  @Refuses('invalid_session_header', 400)
  @Refuses('provider_not_found', 404)
  @Refuses('oidc_provider_unavailable', 503)
  async start(
    @Param('provider') provider: string,
    @Query() { return_to, session }: StartQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<void> {
    const inCookie = this.cookies.isWanted(header) || session === 'cookie';
    const { signIn } = await this.providers.named(provider);
    const returnTo = return_to === undefined ? null : safeReturnTo(return_to, this.config.consoleOrigins);
    const proofs = signIn.prove();
    const location = await signIn.addressFor(proofs);
    const cookie = this.cookie.begin({ ...proofs, provider, returnTo, inCookie }, this.clock.now());
    reply.headers({ ...secretive, location, 'set-cookie': cookie });
  }

  /** Its query is the provider's to write, who may add to it: so no class declares it, and what isn't known is let be. */
  @Get('callback')
  @Open()
  @Audited('sign_in', 'user')
  @Summary('Complete a sign-in with an OpenID Connect provider and start a session.')
  @Answers(200, signedInAnswer)
  @Answers(302, undefined, {
    description: 'Redirect to return_to. Its fragment has access_token, expires_in and, unless a cookie is used, refresh_token.',
  })
  @Refuses('invalid_oidc_state', 400)
  @Refuses('invalid_session_header', 400)
  @Refuses('oidc_refused', 401)
  @Refuses('email_not_verified', 403)
  @Refuses('email_domain_not_allowed', 403)
  @Refuses('no_such_account', 403)
  @Refuses('user_disabled', 403)
  @Refuses('provider_not_found', 404)
  @Refuses('oidc_provider_unavailable', 503)
  async callback(
    @Param('provider') provider: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<HandedOver | undefined> {
    const isWanted = this.cookies.isWanted(header);
    const { signIn, settings } = await this.providers.named(provider);
    const query = queryOf(request);
    const journey = this.cookie.read(request.headers.cookie, this.clock.now());
    if (journey?.provider !== provider || query.getAll('state').join() !== journey.state) throw notBegunHere();
    // Whatever comes of it, this browser needs the proofs no more.
    reply.headers({ ...secretive, 'set-cookie': this.cookie.end });
    const claims = await signIn.claims(query, journey);
    const begun = await this.signIns.as(personOf(claims, settings.groups_claim), provider, settings);
    const answer = this.cookies.handOver(reply, isWanted || journey.inCookie === true, begun);
    if (journey.returnTo === null) return answer;
    reply.status(302).header('location', `${journey.returnTo}#${handedOver(answer)}`);
    return undefined;
  }
}

/** Behind a #, where no server and no log sees it. */
function handedOver({ access_token, refresh_token, expires_in, password_change_required }: HandedOver): URLSearchParams {
  const handed = new URLSearchParams({ access_token, ...(refresh_token && { refresh_token }), expires_in: String(expires_in) });
  if (password_change_required) handed.set('password_change_required', 'true');
  return handed;
}

const queryOf = ({ query }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query as Readonly<Record<string, string | readonly string[]>>).flatMap(([name, said]) =>
      [said].flat().map((value): [string, string] => [name, value]),
    ),
  );

const notBegunHere = () =>
  refuse('invalid', 'invalid_oidc_state', 'This sign-in was not begun in this browser, or was begun too long ago. Begin it again.');
