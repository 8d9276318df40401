import type { Decider, Instant } from '@parlance/decider';

/** An address gets at most one mail in this time, however often a reset is requested. */
export const RESET_GAP_MILLIS = 5 * 60_000;
/** How long the token in the mail is valid, from the request. */
export const RESET_VALID_MILLIS = 60 * 60_000;

/**
 * Requests for a password reset with one e-mail address, whether or not a user has it. The request is answered after it is recorded here.
 * The user of the address is looked up after the answer, so that the answer cannot depend on whether there is one.
 */
export type ResetRequestsCommand =
  | { type: 'Request'; mailId: string; now: Instant }
  /** The mail is requested, or there is no user to receive it. */
  | { type: 'Settle'; mailId: string };

export type ResetRequestsEvent =
  | { type: 'PasswordResetRequested'; mailId: string; at: Instant }
  | { type: 'PasswordResetRequestSettled'; mailId: string };

export type ResetRequests = { readonly last: { readonly mailId: string; readonly at: Instant; readonly isSettled: boolean } | null };

export const resetRequests: Decider<ResetRequestsCommand, ResetRequestsEvent, ResetRequests> = {
  initialState: { last: null },
  // The stream grows with the requests, over years.
  snapshots: { every: 20, shape: 'last-1' },

  decide(command, { last }) {
    if (command.type === 'Settle')
      return last?.mailId === command.mailId && !last.isSettled ? [{ type: 'PasswordResetRequestSettled', mailId: command.mailId }] : [];
    const { mailId, now } = command;
    // The answer is the same, so that it reveals nothing about other people's requests.
    if (last !== null && (last.mailId === mailId || now - last.at < RESET_GAP_MILLIS)) return [];
    return [{ type: 'PasswordResetRequested', mailId, at: now }];
  },

  evolve(state, event) {
    if (event.type === 'PasswordResetRequested') return { last: { mailId: event.mailId, at: event.at, isSettled: false } };
    return { last: state.last && { ...state.last, isSettled: true } };
  },
};

export const resetRequestsStream = (addressHash: string) => `resets-${addressHash}`;
