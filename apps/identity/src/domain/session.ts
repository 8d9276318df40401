import { type Decider, type Instant, refuse } from '@parlance/decider';

export type SessionEndReason =
  'signed_out' | 'ended_elsewhere' | 'refresh_token_reused' | 'password_changed' | 'user_disabled' | 'user_erased' | 'expired';

/** A session hands out one refresh token after the other; the generation says which of them is the one that holds. */
export type SessionCommand =
  /** `epoch`: the user's, when it began. */
  | { type: 'Start'; userId: string; via: string; epoch: number; expiresAt: Instant }
  | { type: 'Refresh'; generation: number; now: Instant }
  | { type: 'End'; reason: SessionEndReason };

export type SessionEvent =
  | { type: 'SessionStarted'; userId: string; via?: string; epoch?: number; expiresAt?: Instant }
  | { type: 'SessionRefreshed'; userId: string; generation: number }
  | { type: 'SessionEnded'; userId: string; reason: SessionEndReason };

export type Session =
  | { readonly status: 'absent' }
  | {
      readonly status: 'living';
      readonly userId: string;
      readonly via: string;
      readonly epoch: number;
      readonly generation: number;
      readonly expiresAt: Instant;
    }
  | { readonly status: 'ended'; readonly userId: string; readonly reason: SessionEndReason };

const invalid = () => refuse('unauthenticated', 'invalid_refresh_token', 'The refresh token is not valid, or no longer: sign in again.');

export const session: Decider<SessionCommand, SessionEvent, Session> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (command.type === 'Start') {
      const { userId, via, epoch, expiresAt } = command;
      return state.status === 'absent' ? [{ type: 'SessionStarted', userId, via, epoch, expiresAt }] : refuse('conflict', 'session_exists');
    }
    if (command.type === 'End') {
      if (state.status === 'absent') return refuse('missing', 'session_not_found', 'There is no such session.');
      return state.status === 'ended' ? [] : [{ type: 'SessionEnded', userId: state.userId, reason: command.reason }];
    }
    if (state.status !== 'living' || state.expiresAt <= command.now || command.generation > state.generation) return invalid();
    const { userId, generation } = state;
    // A token that was used before is in two hands, and nobody knows which of them is the thief's: neither goes on.
    if (command.generation < generation) return [{ type: 'SessionEnded', userId, reason: 'refresh_token_reused' }];
    return [{ type: 'SessionRefreshed', userId, generation: generation + 1 }];
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
        return state.status === 'living' ? { ...state, generation: event.generation } : state;
      case 'SessionEnded':
        return { status: 'ended', userId: event.userId, reason: event.reason };
    }
  },
};

export const sessionStream = (sessionId: string) => `session-${sessionId}`;
