import { type Decider, type Instant, isLeased, refuse } from '@parlance/decider';

/** A user's tokens for a tool server. They are sealed under the connection's key, which is nested in the user's key. */
interface Tokens {
  readonly tokens: string;
  /** When the access token expires. Null if unknown. */
  readonly expiresAt: Instant | null;
  readonly scopes: readonly string[];
}

export type ToolConnectionCommand =
  | { type: 'Begin'; stateHash: string; attempt: string; expiresAt: Instant }
  | { type: 'Redeem'; stateHash: string; now: Instant }
  | ({ type: 'Connect'; stateHash: string; connectionId: string; now: Instant } & Tokens)
  | { type: 'BeginRefresh'; refreshId: string; connectionId: string; generation: number; now: Instant; until: Instant }
  | ({ type: 'CompleteRefresh'; refreshId: string } & Tokens)
  | { type: 'AbandonRefresh'; refreshId: string }
  | { type: 'Lose'; connectionId: string; generation: number; refreshId: string | null }
  | { type: 'Disconnect' }
  | { type: 'Erase' };

export type ToolConnectionEvent =
  /** The user is sent to the authorization server. Replaces an earlier attempt. `attempt` is sealed. */
  | { type: 'ToolAuthorizationBegun'; stateHash: string; attempt: string; expiresAt: Instant }
  /** The authorization server returned the state, which cannot be used again. */
  | { type: 'ToolAuthorizationRedeemed'; stateHash: string }
  | ({ type: 'ToolConnected'; connectionId: string; at: Instant } & Tokens)
  | { type: 'ToolTokenRefreshBegun'; refreshId: string; until: Instant }
  | ({ type: 'ToolTokenRefreshed'; refreshId: string } & Tokens)
  | { type: 'ToolTokenRefreshAbandoned'; refreshId: string }
  /** The authorization server no longer accepts the tokens. */
  | { type: 'ToolConnectionLost' }
  | { type: 'ToolDisconnected' }
  /** The user is erased: nothing is added from now on. */
  | { type: 'ToolConnectionErased'; wasConnected: boolean };

interface Attempt {
  readonly stateHash: string;
  readonly attempt: string;
  readonly expiresAt: Instant;
  readonly isRedeemed: boolean;
}

export interface Connected extends Tokens {
  readonly connectionId: string;
  /** How many times the tokens were renewed. */
  readonly generation: number;
  /** The refresh in progress. No other process may refresh before `until`. */
  readonly refresh: { readonly refreshId: string; readonly until: Instant } | null;
}

/** One user's connection with one tool server. */
export interface ToolConnection {
  readonly attempt: Attempt | null;
  readonly connected: Connected | null;
  readonly isLost: boolean;
  readonly isErased: boolean;
}

export const stateInvalid = () =>
  refuse(
    'invalid',
    'invalid_tool_state',
    'You did not begin this connection, it was begun too long ago, or it is already completed. Begin it again.',
  );

export const toolConnection: Decider<ToolConnectionCommand, ToolConnectionEvent, ToolConnection> = {
  initialState: { attempt: null, connected: null, isLost: false, isErased: false },
  snapshots: { every: 100, shape: 'tool-connection-1' },

  decide(command, { attempt, connected, isLost, isErased }) {
    if (isErased) return command.type === 'Erase' ? [] : refuse('missing', 'user_not_found', 'This user was erased.');
    switch (command.type) {
      case 'Begin': {
        const { stateHash, attempt: sealed, expiresAt } = command;
        return [{ type: 'ToolAuthorizationBegun', stateHash, attempt: sealed, expiresAt }];
      }
      case 'Redeem': {
        const { stateHash, now } = command;
        if (attempt?.stateHash !== stateHash || attempt.isRedeemed || attempt.expiresAt <= now) return stateInvalid();
        return [{ type: 'ToolAuthorizationRedeemed', stateHash }];
      }
      case 'Connect': {
        const { stateHash, connectionId, now: at, tokens, expiresAt, scopes } = command;
        // Only the user's latest attempt counts.
        if (attempt?.stateHash !== stateHash || !attempt.isRedeemed) return stateInvalid();
        return [{ type: 'ToolConnected', connectionId, at, tokens, expiresAt, scopes }];
      }
      case 'BeginRefresh': {
        const { refreshId, connectionId, generation, now, until } = command;
        // Refreshed or connected again in the meantime. The caller reads the tokens again.
        if (connected?.connectionId !== connectionId || connected.generation !== generation) return [];
        if (isLeased(connected.refresh?.until, now))
          return refuse('conflict', 'refresh_in_progress', 'The tokens are being renewed. Read them again.');
        return [{ type: 'ToolTokenRefreshBegun', refreshId, until }];
      }
      case 'CompleteRefresh': {
        const { refreshId, tokens, expiresAt, scopes } = command;
        if (connected?.refresh?.refreshId !== refreshId) return [];
        return [{ type: 'ToolTokenRefreshed', refreshId, tokens, expiresAt, scopes }];
      }
      case 'AbandonRefresh':
        return connected?.refresh?.refreshId === command.refreshId
          ? [{ type: 'ToolTokenRefreshAbandoned', refreshId: command.refreshId }]
          : [];
      case 'Lose': {
        const { connectionId, generation, refreshId } = command;
        const isSame = connected?.connectionId === connectionId && connected.generation === generation;
        return isSame && (connected.refresh?.refreshId ?? null) === refreshId ? [{ type: 'ToolConnectionLost' }] : [];
      }
      case 'Disconnect':
        return connected !== null || isLost || attempt !== null ? [{ type: 'ToolDisconnected' }] : [];
      case 'Erase':
        return [{ type: 'ToolConnectionErased', wasConnected: connected !== null || isLost }];
    }
  },

  evolve(state, event) {
    const { connected } = state;
    switch (event.type) {
      case 'ToolAuthorizationBegun': {
        const { stateHash, attempt, expiresAt } = event;
        return { ...state, attempt: { stateHash, attempt, expiresAt, isRedeemed: false } };
      }
      case 'ToolAuthorizationRedeemed':
        return { ...state, attempt: state.attempt && { ...state.attempt, isRedeemed: true } };
      case 'ToolConnected': {
        const { connectionId, tokens, expiresAt, scopes } = event;
        const fresh = { connectionId, tokens, expiresAt, scopes, generation: 0, refresh: null };
        return { attempt: null, connected: fresh, isLost: false, isErased: false };
      }
      case 'ToolTokenRefreshBegun': {
        const { refreshId, until } = event;
        return { ...state, connected: connected && { ...connected, refresh: { refreshId, until } } };
      }
      case 'ToolTokenRefreshed': {
        const { tokens, expiresAt, scopes } = event;
        const renewed = connected && { ...connected, tokens, expiresAt, scopes, generation: connected.generation + 1, refresh: null };
        return { ...state, connected: renewed };
      }
      case 'ToolTokenRefreshAbandoned':
        return { ...state, connected: connected && { ...connected, refresh: null } };
      case 'ToolConnectionLost':
        return { ...state, connected: null, isLost: true };
      case 'ToolDisconnected':
        return { attempt: null, connected: null, isLost: false, isErased: false };
      case 'ToolConnectionErased':
        return { attempt: null, connected: null, isLost: false, isErased: true };
    }
  },
};

/** User IDs have no dot. */
export const toolConnectionStream = (id: string) => `toolconnection-${id}`;
export const toolConnectionId = (userId: string, server: string) => `${userId}.${server}`;
export function partsOfToolConnectionId(id: string): { readonly userId: string; readonly server: string } {
  const dot = id.lastIndexOf('.');
  return { userId: id.slice(0, dot), server: id.slice(dot + 1) };
}
