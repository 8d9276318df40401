import { type Decider, refuse } from '@parlance/decider';

/** What must not be deleted: a user with all conversations, or a bot with its conversations. */
export interface HeldSubject {
  readonly kind: 'user' | 'bot';
  readonly id: string;
}

export type HoldCommand =
  /** The reason is sealed. */
  | { type: 'Request'; subject: HeldSubject; reason: string }
  /** Every service that deletes data of the subject has recorded the hold. */
  | { type: 'Place' }
  /** A service could not record the hold. */
  | { type: 'Withdraw' }
  | { type: 'End' }
  /** The hold is removed from all services. */
  | { type: 'Settle' };

export type HoldEvent =
  | { type: 'HoldRequested'; subject: HeldSubject; reason: string }
  | { type: 'HoldPlaced'; subject: HeldSubject }
  | { type: 'HoldWithdrawn' }
  | { type: 'HoldEnded'; subject: HeldSubject }
  | { type: 'HoldSettled' };

export type Hold =
  | { readonly status: 'absent' | 'settled' }
  /** `requested`: some services may have it. `ending`: some services may still have it. */
  | { readonly status: 'requested' | 'placed' | 'ending'; readonly subject: HeldSubject; readonly reason: string };

type Begun = Extract<Hold, { subject: HeldSubject }>;

export const holdNotFound = () => refuse('missing', 'hold_not_found', 'There is no hold with this ID. Look at the list of holds.');

/** A hold that an administrator requested, until it is removed from all services. */
export const hold: Decider<HoldCommand, HoldEvent, Hold> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    switch (command.type) {
      case 'Request':
        if (state.status === 'absent') return [{ type: 'HoldRequested', subject: command.subject, reason: command.reason }];
        return state.status === 'requested' || state.status === 'placed' ? [] : holdIsOver();
      case 'Place':
        if (state.status === 'requested') return [{ type: 'HoldPlaced', subject: state.subject }];
        return state.status === 'placed' ? [] : holdIsOver();
      case 'Withdraw':
        return state.status === 'requested' ? [{ type: 'HoldWithdrawn' }] : [];
      case 'End':
        if (state.status === 'absent' || state.status === 'requested') return holdNotFound();
        return state.status === 'placed' ? [{ type: 'HoldEnded', subject: state.subject }] : [];
      case 'Settle':
        return state.status === 'ending' ? [{ type: 'HoldSettled' }] : [];
    }
  },

  evolve(state, event) {
    const { subject, reason } = state as Begun;
    switch (event.type) {
      case 'HoldRequested':
        return { status: 'requested', subject: event.subject, reason: event.reason };
      case 'HoldPlaced':
        return { status: 'placed', subject, reason };
      case 'HoldWithdrawn':
      case 'HoldEnded':
        return { status: 'ending', subject, reason };
      case 'HoldSettled':
        return { status: 'settled' };
    }
  },
};

const holdIsOver = () =>
  refuse(
    'conflict',
    'hold_is_over',
    'This hold has ended, or it could not be placed. Send the request again with another Idempotency-Key.',
  );

export const holdStream = (holdId: string) => `hold-${holdId}`;
