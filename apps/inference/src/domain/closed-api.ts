import type { Decider } from '@parlance/decider';

export type ClosedApiCommand =
  | { type: 'Close' }
  /** A hold protects conversations of the API, so they are deleted later. */
  | { type: 'Postpone'; userId: string }
  /** All conversations of the API are deleted. */
  | { type: 'Finish' };

export type ClosedApiEvent = { type: 'ApiClosed' } | { type: 'ApiRemovalPostponed'; userId: string } | { type: 'ApiRemovalFinished' };

export interface ClosedApi {
  readonly isClosed: boolean;
  readonly isPostponed?: boolean;
}

/** A published API whose publication is removed. Its ID is not used again. */
export const closedApi: Decider<ClosedApiCommand, ClosedApiEvent, ClosedApi> = {
  initialState: { isClosed: false },

  decide(command, { isClosed, isPostponed = false }) {
    switch (command.type) {
      case 'Close':
        return isClosed ? [] : [{ type: 'ApiClosed' }];
      case 'Postpone':
        return isPostponed ? [] : [{ type: 'ApiRemovalPostponed', userId: command.userId }];
      case 'Finish':
        return isPostponed ? [{ type: 'ApiRemovalFinished' }] : [];
    }
  },

  evolve(_, event) {
    return { isClosed: true, ...(event.type === 'ApiRemovalPostponed' && { isPostponed: true }) };
  },
};

export const closedApiStream = (apiId: string) => `closedapi-${apiId}`;
