import type { Decider } from '@parlance/decider';

/** The dead letters of a service to redeliver; all of them if `ids` is null. */
export interface RedriveCommand {
  readonly type: 'Request';
  readonly service: string;
  readonly ids: readonly string[] | null;
}

export interface RedriveEvent {
  readonly type: 'DeadLettersRedriveRequested';
  readonly service: string;
  readonly ids: readonly string[] | null;
}

export interface Redrive {
  readonly isRequested: boolean;
}

/** An administrator's request, which is in the audit log before the first dead letter is redelivered. */
export const redrive: Decider<RedriveCommand, RedriveEvent, Redrive> = {
  initialState: { isRequested: false },

  decide({ service, ids }, { isRequested }) {
    return isRequested ? [] : [{ type: 'DeadLettersRedriveRequested', service, ids }];
  },

  evolve() {
    return { isRequested: true };
  },
};

export const redriveStream = (redriveId: string) => `redrive-${redriveId}`;
