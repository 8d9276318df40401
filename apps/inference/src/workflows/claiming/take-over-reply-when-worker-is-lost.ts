import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { RepliesInHand } from './replies-in-hand.ts';

const EVERY_MILLIS = 1_000;

/** Every accepted message gets its reply: a reply is taken over when the lease of its worker has ended. */
@Injectable()
export class TakeOverReplyWhenWorkerIsLost implements OnApplicationBootstrap {
  constructor(
    private readonly replies: RepliesInHand,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'take over replies', () => this.replies.takeOwed());
  }
}
