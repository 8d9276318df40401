import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, PagedRounds } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { type FileRemovalRow, FileRemovalsBegun } from '../projections/message-files.ts';
import { MessageFileRemoval } from '../workflows/files/message-file-removal.ts';
import { unlessGone } from '../workflows/unless-gone.ts';

/** A more recent removal is usually still running in its round. */
const GRACE_MILLIS = 60_000;

/** Finishes the removal of files by a retention rule when the process has crashed or the object store did not answer. */
@Injectable()
export class FinishRemovalOfFilesWhenItBrokeOff {
  private readonly rounds = new PagedRounds<FileRemovalRow, Cursor>(
    'removals of files could not be finished',
    ({ message_id }) => message_id,
  );

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: MessageFileRemoval,
    private readonly clock: Clock,
  ) {}

  async finish(): Promise<void> {
    const until = Instant.plus(this.clock.now(), -GRACE_MILLIS);
    await this.rounds.run(
      (after) => this.queries.execute(new FileRemovalsBegun(until, after)),
      // A deleted conversation needs nothing more: its deletion removes its files.
      (row) => unlessGone(this.removal.end(row)),
    );
  }
}
