import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Person } from '@parlance/contracts';
import { Instant, refuse } from '@parlance/decider';
import { RevocationFeed } from '@parlance/revocation';
import { Clock, Streams } from '@parlance/foundation';
import { Config } from '@parlance/config';
import { newId } from '@parlance/event-store';
import { RequestContext } from '@parlance/observability';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { AccessTokens } from '../adapters/access-tokens.ts';
import { type RefreshTicket, RefreshTokens } from '../adapters/refresh-tokens.ts';
import { SessionClients } from '../adapters/session-clients.ts';
import { factors, factorsStream, hasFactor } from '../domain/credentials/factors.ts';
import { needsSecondFactor } from '../domain/credentials/step-up.ts';
import { isProved, type LivingSession, session, type SessionEndReason, sessionStream } from '../domain/credentials/session.ts';
import { notForServices } from '../domain/service-account.ts';
import { type RegisteredUser, user, userStream } from '../domain/user.ts';
import { People } from '../projections/people.ts';
import { SessionsOfUser } from '../projections/sessions.ts';
import { ExecuteSession } from '../commands/aggregates.ts';

/** The answer to a sign-in. */
export const SignedInAnswer = z.object({
  access_token: z.string().meta({ 'x-secret': true }),
  refresh_token: z.string().optional().meta({
    'x-secret': true,
    description: 'Refresh token for POST /auth/refresh. Absent with X-Parlance-Session: cookie.',
  }),
  expires_in: z.int().describe('Seconds'),
  password_change_required: z
    .boolean()
    .describe('If true, the access token is valid only for POST /auth/password, POST /auth/sign-out and GET /user/me.'),
  second_factor_missing: z
    .boolean()
    .optional()
    .describe(
      'If true, a group of the user needs a second factor that this session does not have. The access token is valid only to add one (/user/me/factors), or to prove one (POST /user/me/step-up). Then POST /auth/refresh gives a token for all routes.',
    ),
  user: Person,
});
export type SignedInAnswer = z.infer<typeof SignedInAnswer>;

nameSchemas({ SignedIn: SignedInAnswer });

/** The answer to a sign-in before the refresh token may move to a cookie. */
export type SessionTokens = SignedInAnswer & { readonly refresh_token: string };

/**
 * What the caller has proved. The session begins only if that is still valid. `factorAt`: the time of the second factor. `byProvider`: the
 * identity provider had asked for a second factor.
 */
export interface Proved {
  readonly hash?: string;
  readonly epoch?: number;
  readonly factorAt?: Instant;
  readonly byProvider?: boolean;
}

type BegunSession = Pick<LivingSession, 'via' | 'provedAt' | 'provedByProvider'>;

const DAY_MILLIS = 86_400_000;

/** Begins, refreshes and ends sessions. A method that ends sessions resolves when all edges refuse their tokens. */
@Injectable()
export class Sessions {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly clients: SessionClients,
    private readonly revocations: RevocationFeed,
    private readonly people: People,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Throws the refusals `user_disabled`, and `wrong_credentials` if the checked password is no longer valid.
   */
  async begin(userId: string, via: string, proved: Proved = {}): Promise<SessionTokens> {
    const sessionId = newId();
    const startedAt = this.clock.now();
    const expiresAt = Instant.plus(startedAt, this.config.sessionValidDays * DAY_MILLIS);
    const { epoch, passwordHash } = requireEnabled(await this.user(userId));
    if (proved.hash !== undefined && passwordHash !== proved.hash) throw wrongCredentials();
    if (proved.epoch !== undefined && epoch !== proved.epoch) throw wrongCredentials();
    const factor = {
      ...(proved.factorAt !== undefined && { provedAt: proved.factorAt }),
      ...(proved.byProvider && { provedByProvider: true as const }),
    };
    RequestContext.concern(userId);
    const clientKey = await this.clients.newKey(userId);
    const start = {
      type: 'Start',
      userId,
      via,
      epoch,
      startedAt,
      expiresAt,
      ...(clientKey !== undefined && { clientKey }),
      ...factor,
    } as const;
    await this.commands.execute(new ExecuteSession(sessionId, start));
    // The user is read again: if all sessions were ended meanwhile, that did not include this one.
    const known = await this.user(userId);
    if (known?.epoch !== epoch) {
      await this.end(sessionId, known?.enabled ? 'password_changed' : 'user_disabled');
      requireEnabled(known);
      throw wrongCredentials();
    }
    return this.answer(userId, known, { sessionId, generation: 0 }, { via, ...factor });
  }

  /** The next tokens. During the grace period the same client gets the same refresh token again. Throws the refusal `invalid_refresh_token`. */
  async refresh(refreshToken: string): Promise<SessionTokens> {
    const ticket = this.refreshTokens.read(refreshToken);
    if (!ticket) throw invalidRefreshToken();
    const { sessionId, generation } = ticket;
    const begun = await this.streams.load(session, sessionStream(sessionId));
    if (begun.status === 'living') RequestContext.concern(begun.userId);
    const client = begun.status === 'living' ? await this.clients.current(begun.clientKey) : undefined;
    const refresh = { type: 'Refresh', generation, now: this.clock.now(), ...(client !== undefined && { client }) } as const;
    const done = await this.commands.execute(new ExecuteSession(sessionId, refresh));
    if (done.state.status !== 'living') {
      await this.revocations.seenByAll(done.position);
      throw invalidRefreshToken();
    }
    const { userId, epoch } = done.state;
    const known = await this.user(userId);
    // The session should have ended, but the process that was ending it crashed.
    if (!known?.enabled || known.epoch !== epoch) throw invalidRefreshToken();
    return this.answer(userId, known, { sessionId, generation: generation + 1 }, done.state);
  }

  async end(sessionId: string, reason: SessionEndReason): Promise<void> {
    const { position } = await this.commands.execute(new ExecuteSession(sessionId, { type: 'End', reason }));
    await this.revocations.seenByAll(position);
  }

  /**
   * Ends the sessions of earlier epochs, including those that an interrupted attempt left. When this resolves, edges have seen the user at
   * `position`.
   */
  async endOutdated(userId: string, position?: number): Promise<void> {
    if (position !== undefined) await this.revocations.seenByAll(position);
    const known = await this.user(userId);
    if (known) await this.endAll(userId, known.enabled ? 'password_changed' : 'user_disabled', known.epoch);
  }

  async countOf(userId: string): Promise<number> {
    return (await this.queries.execute(new SessionsOfUser(userId))).length;
  }

  /** Ends all sessions of a user, or only those that began before an epoch. */
  async endAll(userId: string, reason: SessionEndReason, before = Number.POSITIVE_INFINITY): Promise<void> {
    const living = await this.queries.execute(new SessionsOfUser(userId));
    const over = living.filter(({ epoch }) => epoch < before);
    const positions = await Promise.all(
      over.map(async ({ session_id }) => (await this.commands.execute(new ExecuteSession(session_id, { type: 'End', reason }))).position),
    );
    if (positions.length > 0) await this.revocations.seenByAll(Math.max(...positions));
  }

  private async answer(userId: string, known: RegisteredUser, ticket: RefreshTicket, begun: BegunSession): Promise<SessionTokens> {
    const person = await this.people.byId(userId);
    const { sessionId } = ticket;
    const { groups } = known;
    // A sign-in through an identity provider does not use the password, so it need not be changed.
    const mustChangePassword = known.mustChangePassword && begun.via === 'password';
    const lacksSecondFactor = await this.lacksSecondFactor(userId, groups, begun);
    const subject = { userId, email: person.email, groups, sessionId, mustChangePassword, lacksSecondFactor };
    return {
      access_token: await this.accessTokens.issue(subject, this.clock.now()),
      refresh_token: this.refreshTokens.issue(ticket),
      expires_in: this.accessTokens.validSeconds,
      password_change_required: mustChangePassword,
      ...(lacksSecondFactor && { second_factor_missing: true }),
      user: person,
    };
  }

  /**
   * Whether a group of the user needs a second factor, and the user has none, or has not proved one in this session. A second factor at
   * the provider is enough.
   */
  private async lacksSecondFactor(userId: string, groups: readonly string[], begun: BegunSession): Promise<boolean> {
    if (!needsSecondFactor(groups, this.config.requireSecondFactorFor)) return false;
    if (begun.provedByProvider) return false;
    if (!hasFactor(await this.streams.load(factors, factorsStream(userId)))) return true;
    return !isProved(begun);
  }

  private async user(userId: string): Promise<RegisteredUser | null> {
    const state = await this.streams.load(user, userStream(userId));
    return state.status === 'registered' ? state : null;
  }
}

/** The refusal of an unknown user and of a wrong password. */
export const wrongCredentials = () => refuse('unauthenticated', 'wrong_credentials', 'The e-mail address or the password is wrong.');

function requireEnabled(known: RegisteredUser | null): RegisteredUser {
  if (!known?.enabled) throw refuse('forbidden', 'user_disabled', 'This account is disabled. Ask an administrator.');
  if (known.origin === 'service_account') throw notForServices();
  return known;
}

export const invalidRefreshToken = () =>
  refuse('unauthenticated', 'invalid_refresh_token', 'The refresh token is invalid or has expired. Sign in again.');
