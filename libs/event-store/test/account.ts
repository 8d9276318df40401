import { type Decider, refuse } from '@parlance/decider';

export type AccountCommand = { type: 'Deposit' | 'Withdraw'; amount: number };
export type AccountEvent = { type: 'Deposited' | 'Withdrawn'; amount: number };

/** A decider with all three outcomes: an event, a refusal, and nothing. */
export const account: Decider<AccountCommand, AccountEvent, number> = {
  initialState: 0,
  decide(command, balance) {
    if (command.amount === 0) return [];
    if (command.type === 'Deposit') return [{ type: 'Deposited', amount: command.amount }];
    return command.amount > balance
      ? refuse('conflict', 'overdrawn', 'The balance is too low.')
      : [{ type: 'Withdrawn', amount: command.amount }];
  },
  evolve: (balance, { type, amount }) => (type === 'Deposited' ? balance + amount : balance - amount),
};

export const deposit = (amount: number): AccountCommand => ({ type: 'Deposit', amount });
export const withdraw = (amount: number): AccountCommand => ({ type: 'Withdraw', amount });
