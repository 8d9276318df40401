import type { Decider } from '@parlance/decider';

export interface ClosedApiCommand {
  readonly type: 'Close';
}
export interface ApiClosedEvent {
  readonly type: 'ApiClosed';
}

/** A published API whose publication is removed. Its ID is not used again. */
export const closedApi: Decider<ClosedApiCommand, ApiClosedEvent, { readonly isClosed: boolean }> = {
  initialState: { isClosed: false },
  decide: (_, { isClosed }) => (isClosed ? [] : [{ type: 'ApiClosed' }]),
  evolve: () => ({ isClosed: true }),
};

export const closedApiStream = (apiId: string) => `closedapi-${apiId}`;
