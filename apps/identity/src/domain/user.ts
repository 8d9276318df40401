import { type Decider, refuse } from '@parlance/decider';

/** Names and e-mail address arrive sealed: no rule here needs to read them. */
export type UserCommand = {
  type: 'Register';
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  groups: readonly string[];
  /** True for passwords that somebody else has seen. */
  mustChangePassword: boolean;
};

export type UserEvent = {
  type: 'UserRegistered';
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  groups: readonly string[];
  mustChangePassword: boolean;
};

export type User = { status: 'absent' } | { status: 'registered'; passwordHash: string; groups: readonly string[] };

export const user: Decider<UserCommand, UserEvent, User> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    if (state.status !== 'absent') return refuse('conflict', 'user_exists');
    const { type: _, ...facts } = command;
    return [{ type: 'UserRegistered', ...facts }];
  },

  evolve: (_, event) => ({ status: 'registered', passwordHash: event.passwordHash, groups: event.groups }),
};

export const userStream = (userId: string) => `user-${userId}`;
