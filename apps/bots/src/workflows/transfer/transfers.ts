import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';

/** The most duplicates, imports and exports with files that a process works on at once. */
const TRANSFERS_AT_ONCE = 4;
/** How long clients that repeat requests automatically wait. */
const RETRY_SECONDS = 5;

/** Counts the work with many files in this process. */
@Injectable()
export class Transfers {
  /** Users with a transfer in progress: one user never takes the slots of the others. */
  private readonly users = new Set<string>();

  /** Rejects with the refusals `transfer_running` (limited) and `busy` (unavailable). */
  async during<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.users.has(userId)) throw transferRunning();
    if (this.users.size >= TRANSFERS_AT_ONCE) throw busy();
    this.users.add(userId);
    try {
      return await work();
    } finally {
      this.users.delete(userId);
    }
  }
}

const busy = () => refuse('unavailable', 'busy', 'The files of other bots are being copied. Try again in a minute.', { retry_after: 30 });

const transferRunning = () =>
  refuse(
    'limited',
    'transfer_running',
    'Another duplicate, export or import of yours is in progress. Wait until it is done, and send this one again.',
    { retry_after: RETRY_SECONDS },
  );
