import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Timers } from '@parlance/foundation';
import { RetentionRounds } from '../workflows/retention/retention-rounds.ts';

/** Rules count days, so a conversation may stay five minutes longer. A rule for a group reads the lists of all its members. */
const EVERY_MILLIS = 300_000;

/** A conversation goes, or the files of its messages go, when a retention rule names them. */
@Injectable()
export class DeleteConversationsWhenARetentionRuleNamesThem implements OnApplicationBootstrap {
  constructor(
    private readonly rounds: RetentionRounds,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(EVERY_MILLIS, 'delete conversations by retention rules', () => this.rounds.deleteInactive());
  }
}
