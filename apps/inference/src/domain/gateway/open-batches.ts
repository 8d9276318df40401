import { type Decider, Instant, refuse } from '@parlance/decider';
import { MAX_OPEN_BATCHES } from './gateway-limits.ts';

export type OpenBatchesCommand =
  | { type: 'Open'; batchId: string; now: Instant }
  /** The batches have ended, or were never created. */
  | { type: 'Close'; batchIds: readonly string[] };

export type OpenBatchesEvent =
  | { type: 'GatewayBatchOpened'; batchId: string; at: Instant }
  | { type: 'GatewayBatchesClosed'; batchIds: readonly string[] };

export interface OpenBatches {
  /** When each batch was requested. Some may have ended: they are closed when their slots are needed. */
  readonly open: Readonly<Record<string, Instant>>;
}

/** The batches of one user that may not have ended. A batch takes its slot before it is created, so that requests at the same time cannot exceed the limit. */
export const openBatches: Decider<OpenBatchesCommand, OpenBatchesEvent, OpenBatches> = {
  initialState: { open: {} },
  snapshots: { every: 100, shape: 'open-batches-1' },

  decide(command, { open }) {
    switch (command.type) {
      case 'Open': {
        const { batchId, now: at } = command;
        // A repeat of the request.
        if (Object.hasOwn(open, batchId)) return [];
        return Object.keys(open).length >= MAX_OPEN_BATCHES ? tooManyBatches() : [{ type: 'GatewayBatchOpened', batchId, at }];
      }
      case 'Close': {
        const batchIds = command.batchIds.filter((id) => Object.hasOwn(open, id));
        return batchIds.length > 0 ? [{ type: 'GatewayBatchesClosed', batchIds }] : [];
      }
    }
  },

  evolve({ open }, event) {
    switch (event.type) {
      case 'GatewayBatchOpened':
        return { open: { ...open, [event.batchId]: event.at } };
      case 'GatewayBatchesClosed':
        return { open: Object.fromEntries(Object.entries(open).filter(([id]) => !event.batchIds.includes(id))) };
    }
  },
};

const tooManyBatches = () =>
  refuse('conflict', 'too_many_batches', `You have ${MAX_OPEN_BATCHES} batches that have not ended. Wait for one of them.`);

/** One stream for each user. */
export const openBatchesStream = (userId: string) => `openbatches-${userId}`;
