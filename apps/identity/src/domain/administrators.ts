import { type Decider, refuse } from '@parlance/decider';

/**
 * Who can administrate. Whether a user is an Admin is decided on the user's own stream, which can't see the others; so each
 * active Admin has a seat here, and gives it up before the user's stream may say that they are none any more.
 *
 * Invariant: each user with a seat is an active Admin. A seat speaks of a version of the user's stream, and giving it up forbids
 * all seats of that version and earlier; the change of the user is then made on just that version, or tried again. So a seat
 * that is taken late, for what is no longer so, is none. The other way round, an active Admin without a seat (a change was cut
 * off in between) only makes the rule stricter, until a start, or being made an Admin once more, gives them one.
 */
export type AdministratorsCommand =
  { type: 'TakeSeat'; userId: string; version: number } | { type: 'GiveUpSeat'; userId: string; version: number };

export type AdministratorsEvent =
  { type: 'AdminSeatTaken'; userId: string; version: number } | { type: 'AdminSeatGivenUp'; userId: string; version: number };

export interface Administrators {
  readonly seats: Readonly<Record<string, number>>;
  /** Up to which version of the user's stream no seat counts. */
  readonly givenUp: Readonly<Record<string, number>>;
}

export const administrators: Decider<AdministratorsCommand, AdministratorsEvent, Administrators> = {
  initialState: { seats: {}, givenUp: {} },

  decide({ type, userId, version }, { seats, givenUp }) {
    const outdated = version <= (givenUp[userId] ?? 0);
    if (type === 'TakeSeat') return outdated || seats[userId] !== undefined ? [] : [{ type: 'AdminSeatTaken', userId, version }];
    if (outdated || (seats[userId] ?? 0) > version) return [];
    if (!Object.keys(seats).some((other) => other !== userId))
      return refuse('conflict', 'last_admin', 'This is the last enabled Admin. Make another one first.');
    return [{ type: 'AdminSeatGivenUp', userId, version }];
  },

  evolve({ seats, givenUp }, { type, userId, version }) {
    if (type === 'AdminSeatTaken') return { seats: { ...seats, [userId]: version }, givenUp };
    const { [userId]: _, ...others } = seats;
    return { seats: others, givenUp: { ...givenUp, [userId]: version } };
  },
};

export const administratorsStream = 'administrators';
