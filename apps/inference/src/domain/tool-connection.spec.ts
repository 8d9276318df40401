import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { partsOfToolConnectionId, toolConnection, type ToolConnectionEvent, toolConnectionId } from './tool-connection.ts';

const given = specify(toolConnection);
const noon = Instant.parse('2026-01-01T12:00:00Z');
const later = (minutes: number) => Instant.plus(noon, minutes * 60_000);
const tokens = { tokens: 'sealed', expiresAt: later(60), scopes: ['read'] };

const begun: ToolConnectionEvent = { type: 'ToolAuthorizationBegun', stateHash: 's', attempt: 'a', expiresAt: later(10) };
const redeemed: ToolConnectionEvent = { type: 'ToolAuthorizationRedeemed', stateHash: 's' };
const connected: ToolConnectionEvent = { type: 'ToolConnected', connectionId: 'c', at: noon, ...tokens };
const refreshing: ToolConnectionEvent = { type: 'ToolTokenRefreshBegun', refreshId: 'r', until: later(1) };
const refreshed: ToolConnectionEvent = { type: 'ToolTokenRefreshed', refreshId: 'r', ...tokens };
const lost: ToolConnectionEvent = { type: 'ToolConnectionLost' };
const erased: ToolConnectionEvent = { type: 'ToolConnectionErased', wasConnected: true };

const redeem = (now = noon, stateHash = 's') => ({ type: 'Redeem', stateHash, now }) as const;
const connect = (stateHash = 's') => ({ type: 'Connect', stateHash, connectionId: 'c', now: noon, ...tokens }) as const;
const refresh = (refreshId: string, generation = 0, now = noon) =>
  ({ type: 'BeginRefresh', refreshId, connectionId: 'c', generation, now, until: Instant.plus(now, 60_000) }) as const;

describe('the state of an authorization', () => {
  it('is redeemed when it is returned', () => given(begun).when(redeem()).emits(redeemed));
  it('can be used once', () => given(begun, redeemed).when(redeem()).refuses('invalid_tool_state'));
  it('is valid for ten minutes', () =>
    given(begun)
      .when(redeem(later(10)))
      .refuses('invalid_tool_state'));
  it('must belong to the latest attempt of the user', () => {
    given().when(redeem()).refuses('invalid_tool_state');
    given(begun).when(redeem(noon, 'other')).refuses('invalid_tool_state');
  });
});

describe('connecting', () => {
  it('follows a redeemed state', () => given(begun, redeemed).when(connect()).emits(connected));
  it('is refused without a redeemed state', () => given(begun).when(connect()).refuses('invalid_tool_state'));
  it('is refused when the user has begun another attempt, or ended it, in the meantime', () => {
    given(begun, redeemed, { ...begun, stateHash: 'other' })
      .when(connect())
      .refuses('invalid_tool_state');
    given(begun, redeemed, { type: 'ToolDisconnected' }).when(connect()).refuses('invalid_tool_state');
  });
  it('is refused for an erased user', () => given(begun, redeemed, erased).when(connect()).refuses('user_not_found'));
});

describe('the renewal of tokens', () => {
  it('is reserved for one process at a time', () => {
    given(connected).when(refresh('r')).emits(refreshing);
    given(connected, refreshing).when(refresh('other')).refuses('refresh_in_progress');
  });
  it('is open to another process when the first has not finished it in time', () =>
    given(connected, refreshing)
      .when(refresh('other', 0, later(1)))
      .emits({ type: 'ToolTokenRefreshBegun', refreshId: 'other', until: later(2) }));
  it('is open to another process when the clock of the first was ahead', () =>
    given(connected, { ...refreshing, until: later(1_440) })
      .when(refresh('other'))
      .emits({ ...refreshing, refreshId: 'other' }));
  it('is not begun with tokens that were renewed in the meantime', () =>
    given(connected, refreshing, refreshed).when(refresh('other')).emits());
  it('stores the new tokens once', () => {
    const complete = { type: 'CompleteRefresh', refreshId: 'r', ...tokens } as const;
    given(connected, refreshing).when(complete).emits(refreshed);
    given(connected, refreshing, refreshed).when(complete).emits();
    given(connected, refreshing, { ...refreshing, refreshId: 'other' })
      .when(complete)
      .emits();
  });
  it('may begin again after it was abandoned', () =>
    given(connected, refreshing, { type: 'ToolTokenRefreshAbandoned', refreshId: 'r' })
      .when(refresh('other'))
      .emits({ ...refreshing, refreshId: 'other' }));
  it('abandons only its own renewal', () => given(connected, refreshing).when({ type: 'AbandonRefresh', refreshId: 'other' }).emits());
});

describe('a connection', () => {
  const lose = (generation: number, refreshId: string | null) => ({ type: 'Lose', connectionId: 'c', generation, refreshId }) as const;
  it('is lost when its tokens are refused', () => {
    given(connected, refreshing).when(lose(0, 'r')).emits(lost);
    given(connected).when(lose(0, null)).emits(lost);
  });
  it('is not lost by the refusal of tokens that were renewed, or are being renewed', () => {
    given(connected, refreshing, refreshed).when(lose(0, 'r')).emits();
    given(connected, refreshing).when(lose(0, null)).emits();
    given(connected, lost).when(lose(0, null)).emits();
  });
  it('ends once', () => {
    given(connected).when({ type: 'Disconnect' }).emits({ type: 'ToolDisconnected' });
    given(connected, { type: 'ToolDisconnected' }).when({ type: 'Disconnect' }).emits();
    given().when({ type: 'Disconnect' }).emits();
  });
  it('is erased with its user, even if there is none yet', () => {
    given(connected).when({ type: 'Erase' }).emits(erased);
    given().when({ type: 'Erase' }).emits({ type: 'ToolConnectionErased', wasConnected: false });
    given(connected, erased).when({ type: 'Erase' }).emits();
    given(erased)
      .when({ type: 'Begin', stateHash: 's', attempt: 'a', expiresAt: later(10) })
      .refuses('user_not_found');
  });
  it('keeps its state small, however often its tokens are renewed', () => {
    const once = fold(toolConnection, [connected, refreshing, refreshed]);
    const often = fold(toolConnection, [connected, ...Array.from({ length: 500 }, () => [refreshing, refreshed]).flat()]);
    expect({ ...often.connected, generation: 1 }).toEqual(once.connected);
  });
  it('has the user and the server in its ID', () =>
    expect(partsOfToolConnectionId(toolConnectionId('01J', 'my-docs'))).toEqual({ userId: '01J', server: 'my-docs' }));
});
