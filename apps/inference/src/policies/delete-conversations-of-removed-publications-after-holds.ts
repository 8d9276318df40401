import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { RemovedPublications } from '../workflows/holds/removed-publications.ts';

const EVERY_MILLIS = 300_000;

/** A hold may have kept the conversations of a publication when it was removed. They go when the hold is over. */
@Injectable()
export class DeleteConversationsOfRemovedPublicationsAfterHolds implements OnApplicationBootstrap {
  constructor(
    private readonly removed: RemovedPublications,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'delete conversations of removed publications', () => this.removed.deletePostponed());
  }
}
