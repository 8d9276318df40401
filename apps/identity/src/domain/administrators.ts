import { type Decider, refuse } from '@parlance/decider';

/**
 * The seats of active Admins. A user's own stream decides whether the user is an Admin, but it cannot see other users. So each
 * active Admin has a seat on this stream, and gives it up before the user's stream records that the user is no longer an Admin.
 *
 * Invariant: each user with a seat is an active Admin. A seat is taken for a version of the user's stream. Giving it up forbids
 * seats for that version and earlier ones, and the user is then changed at exactly that version, or the change starts again. So a
 * late request for an outdated seat has no effect. An active Admin without a seat (after a crash in between) only makes the rule
 * stricter. The next start, or the next change that makes the user an Admin, takes the seat.
 */
export type AdministratorsCommand =
  | { type: 'TakeSeat'; userId: string; version: number }
  | { type: 'GiveUpSeat'; userId: string; version: number };

export type AdministratorsEvent =
  | { type: 'AdminSeatTaken'; userId: string; version: number }
  | { type: 'AdminSeatGivenUp'; userId: string; version: number };

export interface Administrators {
  readonly seats: Readonly<Record<string, number>>;
  /** By user ID, the version of the user's stream up to which seats are forbidden. */
  readonly givenUp: Readonly<Record<string, number>>;
}

export const administrators: Decider<AdministratorsCommand, AdministratorsEvent, Administrators> = {
  initialState: { seats: {}, givenUp: {} },

  decide({ type, userId, version }, { seats, givenUp }) {
    const outdated = version <= (givenUp[userId] ?? 0);
    if (type === 'TakeSeat') return outdated || seats[userId] !== undefined ? [] : [{ type: 'AdminSeatTaken', userId, version }];
    if (outdated || (seats[userId] ?? 0) > version) return [];
    if (!Object.keys(seats).some((other) => other !== userId))
      return refuse('conflict', 'last_admin', 'This is the last enabled Admin. Make another user an Admin first.');
    return [{ type: 'AdminSeatGivenUp', userId, version }];
  },

  evolve({ seats, givenUp }, { type, userId, version }) {
    if (type === 'AdminSeatTaken') return { seats: { ...seats, [userId]: version }, givenUp };
    const { [userId]: _, ...others } = seats;
    return { seats: others, givenUp: { ...givenUp, [userId]: version } };
  },
};

export const administratorsStream = 'administrators';
