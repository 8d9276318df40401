import { type Decider, type Instant, refuse } from '@parlance/decider';

export type SessionEndReason =
  | 'signed_out'
  | 'ended_elsewhere'
  | 'refresh_token_reused'
  | 'password_changed'
  | 'user_disabled'
  | 'user_erased'
  | 'expired';

/** For this long after a refresh, the same client gets the same successor for the used token, because two tabs may refresh at once. */
export const REFRESH_GRACE_MILLIS = 10_000;

/** A session issues refresh tokens one after the other. The generation counts them; only the newest is valid. */
export type SessionCommand =
  /**
   * `epoch`: the user's epoch at the start. `clientKey`: the sealed key of the marks of its clients. `provedAt`: when the user proved a second
   * factor. `provedByProvider`: the identity provider had asked for that factor. `startedAt`: the time of the sign-in.
   */
  | {
      type: 'Start';
      userId: string;
      via: string;
      epoch: number;
      startedAt?: Instant;
      expiresAt: Instant;
      clientKey?: string;
      provedAt?: Instant;
      provedByProvider?: true;
    }
  /** The user proved a second factor in this session. */
  | { type: 'ProveSecondFactor'; now: Instant }
  /** `client`: the mark of the requesting client. */
  | { type: 'Refresh'; generation: number; now: Instant; client?: string }
  | { type: 'End'; reason: SessionEndReason };

export type SessionEvent =
  | {
      type: 'SessionStarted';
      userId: string;
      via?: string;
      epoch?: number;
      startedAt?: Instant;
      expiresAt?: Instant;
      clientKey?: string;
      provedAt?: Instant;
      provedByProvider?: true;
    }
  | { type: 'SecondFactorProved'; userId: string; at: Instant }
  /**
   * `generation`: the generation of the issued token. `at` is null in events written until 0.2.0. `client` is absent in sessions without
   * `clientKey`.
   */
  | { type: 'SessionRefreshed'; userId: string; generation: number; at: Instant | null; client?: string }
  | { type: 'SessionEnded'; userId: string; reason: SessionEndReason };

interface Use {
  readonly generation: number;
  readonly at: Instant;
  readonly client?: string;
}

export interface LivingSession {
  readonly status: 'living';
  readonly userId: string;
  readonly via: string;
  readonly epoch: number;
  readonly generation: number;
  /** Absent in sessions of earlier versions. */
  readonly startedAt?: Instant;
  readonly expiresAt: Instant;
  /** Recently used tokens, oldest first. Absent if there are none. */
  readonly justUsed?: readonly Use[];
  /** Absent in sessions of earlier versions. */
  readonly clientKey?: string;
  /** When the user last proved a second factor. Absent if never, or if the time is not known. */
  readonly provedAt?: Instant;
  /** The identity provider had asked for a second factor. */
  readonly provedByProvider?: true;
}

export type Session =
  | { readonly status: 'absent' }
  | LivingSession
  | { readonly status: 'ended'; readonly userId: string; readonly reason: SessionEndReason };

const invalid = () => refuse('unauthenticated', 'invalid_refresh_token', 'The refresh token is invalid or has expired. Sign in again.');

/** Whether a second factor was proved in this session, to this product or to the identity provider. */
export const isProved = ({ provedAt, provedByProvider }: Pick<LivingSession, 'provedAt' | 'provedByProvider'>): boolean =>
  provedAt !== undefined || provedByProvider === true;

/**
 * The account may have passed to the user of a provider since the edge accepted the request. Then the earlier person must not be able to
 * add anything to it.
 * `epoch`: the user's epoch. Throws the refusal `invalid_token`.
 */
export function requireOfEpoch(begun: Session, epoch: number): void {
  if (begun.status === 'ended' || (begun.status === 'living' && begun.epoch !== epoch))
    throw refuse('unauthenticated', 'invalid_token', 'The session has ended. Sign in again.');
}

export const session: Decider<SessionCommand, SessionEvent, Session> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'Start') {
      const { type: _, ...facts } = command;
      return state.status === 'absent'
        ? [{ type: 'SessionStarted', ...facts }]
        : refuse('conflict', 'session_exists', 'A session with this ID already exists.');
    }
    if (command.type === 'End') {
      if (state.status === 'absent') return refuse('missing', 'session_not_found', 'There is no such session.');
      return state.status === 'ended' ? [] : [{ type: 'SessionEnded', userId: state.userId, reason: command.reason }];
    }
    if (command.type === 'ProveSecondFactor') {
      if (state.status !== 'living') return refuse('missing', 'session_not_found', 'This session is over. Sign in again.');
      return [{ type: 'SecondFactorProved', userId: state.userId, at: command.now }];
    }
    if (state.status !== 'living' || state.expiresAt <= command.now || command.generation > state.generation) return invalid();
    const { userId, generation, justUsed = [] } = state;
    const { client, now: at } = command;
    if (command.generation === generation)
      return [{ type: 'SessionRefreshed', userId, generation: generation + 1, at, ...(client !== undefined && { client }) }];
    // The generation determines the successor, so any replica can issue it again, even after a crash.
    const used = justUsed.find((use) => use.generation === command.generation);
    if (used && at - used.at <= REFRESH_GRACE_MILLIS && used.client === client) return [];
    // Two clients have the token, and one may have stolen it. The session ends for both.
    return [{ type: 'SessionEnded', userId, reason: 'refresh_token_reused' }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SessionStarted':
        // Sessions of the first release have no refresh token, so they have no expiry.
        return {
          status: 'living',
          userId: event.userId,
          via: event.via ?? 'password',
          epoch: event.epoch ?? 0,
          generation: 0,
          expiresAt: event.expiresAt ?? (0 as Instant),
          ...(event.startedAt !== undefined && { startedAt: event.startedAt }),
          ...(event.clientKey !== undefined && { clientKey: event.clientKey }),
          ...(event.provedAt !== undefined && { provedAt: event.provedAt }),
          ...(event.provedByProvider && { provedByProvider: true }),
        };
      case 'SecondFactorProved':
        return state.status === 'living' ? { ...state, provedAt: event.at } : state;
      case 'SessionRefreshed':
        return state.status === 'living' ? refreshed(state, event) : state;
      case 'SessionEnded':
        return { status: 'ended', userId: event.userId, reason: event.reason };
    }
  },
};

function refreshed(state: LivingSession, { generation, at, client }: Extract<SessionEvent, { type: 'SessionRefreshed' }>): LivingSession {
  const { justUsed: before = [], ...rest } = state;
  if (at === null) return { ...rest, generation };
  const use: Use = { generation: generation - 1, at, ...(client !== undefined && { client }) };
  const justUsed = [...before.filter((earlier) => at - earlier.at <= REFRESH_GRACE_MILLIS), use];
  return { ...rest, generation, justUsed };
}

/** Converts events written until 0.2.0 to the current form. */
export const sessionUpcasts = { SessionRefreshed: [(fields: object) => ({ ...fields, at: null })] };

export const sessionStream = (sessionId: string) => `session-${sessionId}`;
