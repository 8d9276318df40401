import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { ShutdownPlan } from '@parlance/observability';
import { BorrowedBlocks } from '../adapters/borrowed-blocks.ts';

const EVERY_MILLIS = 1_000;

/** Budgets that this process has borrowed from and does not need are free for others. */
@Injectable()
export class GiveBackBlocksThatAreNotUsed implements OnApplicationBootstrap {
  constructor(
    private readonly blocks: BorrowedBlocks,
    private readonly timers: Timers,
    private readonly shutdown: ShutdownPlan,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'give back blocks of budgets', () => this.blocks.giveBack());
    this.shutdown.stop('consumers', 'inference: budgets', () => this.blocks.stop());
  }
}
