import type { Decider } from '@parlance/decider';

/** The user ID of the first Admin, decided once, so that replicas that start together use the same one. */
export type FirstAdminCommand = { type: 'Appoint'; userId: string };
export type FirstAdminEvent = { type: 'FirstAdminAppointed'; userId: string };
export type FirstAdmin = { userId: string | null };

export const firstAdmin: Decider<FirstAdminCommand, FirstAdminEvent, FirstAdmin> = {
  initialState: { userId: null },
  decide: (command, state) => (state.userId === null ? [{ type: 'FirstAdminAppointed', userId: command.userId }] : []),
  evolve: (_, event) => ({ userId: event.userId }),
};

export const firstAdminStream = 'first-admin';
