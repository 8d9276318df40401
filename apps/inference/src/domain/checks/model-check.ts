import type { Decider } from '@parlance/decider';
import type { Usage } from '../conversation-events.ts';

/** The result and the cost of an administrator's check of a model. */
export interface ModelCheck {
  readonly model: string;
  readonly userId: string;
  /** A check belongs to no bot. */
  readonly botId: null;
  /** Null if the model has answered. */
  readonly failure: string | null;
  /** All zero if the provider was not called, or has charged nothing. */
  readonly usage: Usage;
  readonly costNanoDollars: number;
}

export type ModelCheckCommand = { type: 'Record' } & ModelCheck;
export type ModelCheckEvent = { type: 'ModelChecked' } & ModelCheck;

/** Each check has a stream of its own, so that it is charged once. */
export const modelCheck: Decider<ModelCheckCommand, ModelCheckEvent, { readonly isRecorded: boolean }> = {
  initialState: { isRecorded: false },
  decide({ type: _, ...check }, { isRecorded }) {
    return isRecorded ? [] : [{ type: 'ModelChecked', ...check }];
  },
  evolve: () => ({ isRecorded: true }),
};

export const modelCheckStream = (checkId: string) => `modelcheck-${checkId}`;
