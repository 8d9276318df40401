import { Controller, Get, Headers, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { Audited, explainRefusalsAt, Open, safeReturnTo, SESSION_HEADER } from '@parlance/http';
import { Clock } from '@parlance/foundation';
import { Config } from '@parlance/config';
import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OidcProviders } from '../../adapters/oidc-providers.ts';
import { FRESH_SIGN_IN_SECONDS } from '../../domain/credentials/step-up.ts';
import { factorOf } from '../../workflows/external-factor.ts';
import { personOf } from '../../workflows/external-person.ts';
import { ExternalSignIn } from '../../workflows/external-sign-in.ts';
import { SignedInAnswer } from '../../workflows/sessions.ts';
import { OidcCookie } from './oidc-cookie.ts';
import { SessionCookie } from './session-cookie.ts';

class StartQuery {
  @IsOptional() @IsString() return_to?: string;
  /** Replaces the header X-Parlance-Session, which a browser does not send when it follows a link. */
  @IsOptional() @IsIn(['cookie']) session?: string;
  /** True: the provider signs the user in again, unless it did so in the last five minutes. For a second factor or a sign-in of the last ten minutes. */
  @IsOptional() @IsBoolean() fresh: boolean = false;
}

const REFUSED_BROWSER =
  'A refused request that accepts text/html is redirected to the sign-in page of the console, with the code of the refusal as `error`.';

const PRIVATE_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

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
  @Summary('Redirect a browser to an OpenID Connect provider, which redirects it to the callback.')
  @Answers(302, undefined, { description: `Redirect to the identity provider. ${REFUSED_BROWSER}` })
  @Refuses('invalid_return_to', 400)
  @Refuses('invalid_session_header', 400)
  @Refuses('provider_not_found', 404)
  @Refuses('oidc_provider_unavailable', 503)
  async start(
    @Param('provider') provider: string,
    @Query() { return_to, session, fresh }: StartQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers(SESSION_HEADER) header?: string,
  ): Promise<void> {
    explainRefusalsAt(request, (code) => signInPage(code, return_to));
    const inCookie = this.cookies.isWanted(header) || session === 'cookie';
    const { signIn } = await this.providers.named(provider);
    const returnTo = return_to === undefined ? null : safeReturnTo(return_to, this.config.consoleOrigins);
    const proofs = signIn.newProofs(fresh ? FRESH_SIGN_IN_SECONDS : undefined);
    const location = await signIn.addressFor(proofs);
    const cookie = this.cookie.begin({ ...proofs, provider, returnTo, inCookie }, this.clock.now());
    reply.headers({ ...PRIVATE_HEADERS, location, 'set-cookie': cookie });
  }

  /** The provider writes the query and may add parameters, so no class declares it and unknown parameters are ignored. */
  @Get('callback')
  @Open()
  @Audited('sign_in', 'user')
  @Summary('Handle the redirect from the provider, and begin a session, as POST /auth/sign-in does.')
  @Answers(200, SignedInAnswer)
  @Answers(302, undefined, {
    description: `Redirect to return_to. Its fragment has access_token, expires_in and, unless a cookie is used, refresh_token. ${REFUSED_BROWSER}`,
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
  ): Promise<SignedInAnswer | undefined> {
    const journey = this.cookie.read(request.headers.cookie, this.clock.now());
    explainRefusalsAt(request, (code) => signInPage(code, journey?.returnTo));
    const isWanted = this.cookies.isWanted(header);
    const { signIn, settings } = await this.providers.named(provider);
    const query = queryOf(request);
    if (journey?.provider !== provider || query.getAll('state').join() !== journey.state) throw notBegunHere();
    // The proofs can be used once, even if the sign-in fails.
    reply.headers({ ...PRIVATE_HEADERS, 'set-cookie': this.cookie.end });
    const claims = await signIn.claims(query, journey);
    const factor = factorOf(claims, settings, this.clock.now());
    const begun = await this.signIns.signIn(personOf(claims, settings.groups_claim), provider, settings, factor);
    const answer = this.cookies.deliverTokens(reply, isWanted || journey.inCookie === true, begun);
    if (journey.returnTo === null) return answer;
    reply.status(302).header('location', `${journey.returnTo}#${tokensInFragment(answer)}`);
    return undefined;
  }
}

/**
 * The address of the console's page that explains a refusal. It is relative to this controller's paths, so it works below any public base
 * URL. It keeps the page that the console had asked for, for the next attempt.
 */
function signInPage(error: string, returnTo: string | null | undefined): string {
  const next = returnTo?.startsWith('/') ? new URLSearchParams(returnTo.split('?')[1]).get('next') : null;
  return `../../../app/sign-in?${new URLSearchParams({ error, ...(next !== null && { next }) })}`;
}

/** For the fragment of an address (after #), which browsers do not send to servers, so no log contains the tokens. */
function tokensInFragment({
  access_token,
  refresh_token,
  expires_in,
  password_change_required,
  second_factor_missing,
}: SignedInAnswer): URLSearchParams {
  const handed = new URLSearchParams({ access_token, ...(refresh_token && { refresh_token }), expires_in: String(expires_in) });
  if (password_change_required) handed.set('password_change_required', 'true');
  if (second_factor_missing) handed.set('second_factor_missing', 'true');
  return handed;
}

const queryOf = ({ query }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query as Readonly<Record<string, string | readonly string[]>>).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );

const notBegunHere = () =>
  refuse('invalid', 'invalid_oidc_state', 'This sign-in was not begun in this browser, or was begun too long ago. Begin it again.');
