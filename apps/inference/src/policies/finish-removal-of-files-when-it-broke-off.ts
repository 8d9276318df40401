import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import type { Cursor } from '@parlance/read-models';
import { conversationNotFound } from '../domain/conversation-refusals.ts';
import { FileRemovalsBegun } from '../projections/message-files.ts';
import { MessageFileRemoval } from '../workflows/files/message-file-removal.ts';

/** A more recent removal is usually still running in its round. */
const GRACE_MILLIS = 60_000;

/** Finishes the removal of files by a retention rule when the process has crashed or the object store did not answer. */
@Injectable()
export class FinishRemovalOfFilesWhenItBrokeOff {
  /** Where the last page ended, so that items that always fail do not block later ones. Null starts with the first. */
  private after: Cursor | null = null;

  constructor(
    private readonly queries: QueryBus,
    private readonly removal: MessageFileRemoval,
    private readonly clock: Clock,
  ) {}

  async finish(): Promise<void> {
    const until = Instant.plus(this.clock.now(), -GRACE_MILLIS);
    const { rows: begun, next } = await this.queries.execute(new FileRemovalsBegun(until, this.after));
    this.after = next;
    const failures: unknown[] = [];
    for (const row of begun) await this.removal.end(row).catch((error: unknown) => failures.push(error));
    // A deleted conversation needs nothing more: its deletion removes its files.
    const left = failures.filter((error) => !(error instanceof Refusal && error.code === conversationNotFound().code));
    if (left.length > 0) throw new AggregateError(left, `${left.length} removals of files could not be finished`);
  }
}
