import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { BudgetLending } from '../workflows/budget-lending.ts';

const EVERY_MILLIS = 1_000;

/** What is left of a block can be spent again when its replies have ended, or the process that held it is lost. */
@Injectable()
export class SettleBlocksWhenRepliesHaveEnded implements OnApplicationBootstrap {
  constructor(
    private readonly lending: BudgetLending,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'settle blocks of budgets', () => this.lending.settle());
  }
}
