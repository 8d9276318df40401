import { type Decider, refuse } from '@parlance/decider';

export type SessionCommand = { type: 'Start'; userId: string };
export type SessionEvent = { type: 'SessionStarted'; userId: string };
export type Session = { userId: string | null };

export const session: Decider<SessionCommand, SessionEvent, Session> = {
  initialState: { userId: null },
  decide: (command, state) =>
    state.userId === null ? [{ type: 'SessionStarted', userId: command.userId }] : refuse('conflict', 'session_exists'),
  evolve: (_, event) => ({ userId: event.userId }),
};

export const sessionStream = (sessionId: string) => `session-${sessionId}`;
