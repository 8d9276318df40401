import { type Decider, type Instant, refuse } from '@parlance/decider';

export type SessionEndReason =
  'signed_out' | 'ended_elsewhere' | 'refresh_token_reused' | 'password_changed' | 'user_disabled' | 'user_erased' | 'expired';

/** For this long after a refresh the token that was used gives the same successor again: two tabs refresh at once. */
export const graceMillis = 10_000;

/** A session hands out one refresh token after the other; the generation says which of them is the one that holds. */
export type SessionCommand =
  /** `epoch`: the user's, when it began. */
  | { type: 'Start'; userId: string; via: string; epoch: number; expiresAt: Instant }
  | { type: 'Refresh'; generation: number; now: Instant }
  | { type: 'End'; reason: SessionEndReason };

export type SessionEvent =
  | { type: 'SessionStarted'; userId: string; via?: string; epoch?: number; expiresAt?: Instant }
  /** `generation`: of the token that was handed out. `at` is null until 0.2.0, when there was no time of grace. */
  | { type: 'SessionRefreshed'; userId: string; generation: number; at: Instant | null }
  | { type: 'SessionEnded'; userId: string; reason: SessionEndReason };

export interface LivingSession {
  readonly status: 'living';
  readonly userId: string;
  readonly via: string;
  readonly epoch: number;
  readonly generation: number;
  readonly expiresAt: Instant;
  /** Tokens that were used a moment ago, in their order; absent where there are none. */
  readonly justUsed?: readonly { readonly generation: number; readonly at: Instant }[];
}

export type Session =
  { readonly status: 'absent' } | LivingSession | { readonly status: 'ended'; readonly userId: string; readonly reason: SessionEndReason };

const invalid = () => refuse('unauthenticated', 'invalid_refresh_token', 'The refresh token is not valid, or not any more. Sign in again.');

export const session: Decider<SessionCommand, SessionEvent, Session> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'Start') {
      const { userId, via, epoch, expiresAt } = command;
      return state.status === 'absent'
        ? [{ type: 'SessionStarted', userId, via, epoch, expiresAt }]
        : refuse('conflict', 'session_exists', 'There is a session with this id.');
    }
    if (command.type === 'End') {
      if (state.status === 'absent') return refuse('missing', 'session_not_found', 'There is no such session.');
      return state.status === 'ended' ? [] : [{ type: 'SessionEnded', userId: state.userId, reason: command.reason }];
    }
    if (state.status !== 'living' || state.expiresAt <= command.now || command.generation > state.generation) return invalid();
    const { userId, generation, justUsed = [] } = state;
    if (command.generation === generation) return [{ type: 'SessionRefreshed', userId, generation: generation + 1, at: command.now }];
    // The successor is known by its generation alone, so this hands it out again, at any replica and after any death.
    const used = justUsed.find((its) => its.generation === command.generation);
    if (used && command.now - used.at <= graceMillis) return [];
    // A token that was used before is in two hands, and nobody knows which of them is the thief's: neither goes on.
    return [{ type: 'SessionEnded', userId, reason: 'refresh_token_reused' }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SessionStarted':
        // Those of the first release have no refresh token, so there is nothing that could expire.
        return {
          status: 'living',
          userId: event.userId,
          via: event.via ?? 'password',
          epoch: event.epoch ?? 0,
          generation: 0,
          expiresAt: event.expiresAt ?? (0 as Instant),
        };
      case 'SessionRefreshed':
        return state.status === 'living' ? refreshed(state, event.generation, event.at) : state;
      case 'SessionEnded':
        return { status: 'ended', userId: event.userId, reason: event.reason };
    }
  },
};

function refreshed(state: LivingSession, generation: number, at: Instant | null): LivingSession {
  const { justUsed: before = [], ...rest } = state;
  if (at === null) return { ...rest, generation };
  const justUsed = [...before.filter((its) => at - its.at <= graceMillis), { generation: generation - 1, at }];
  return { ...rest, generation, justUsed };
}

/** What was written until 0.2.0, in today's form. */
export const sessionUpcasts = { SessionRefreshed: [(fields: object) => ({ ...fields, at: null })] };

export const sessionStream = (sessionId: string) => `session-${sessionId}`;
