import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, PagedRounds } from '@parlance/foundation';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { SchedulesDue } from '../projections/knowledge/queries.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import { type Cursor } from '@parlance/read-models';

const AT_ONCE = 200;

/** Starts the runs of bots whose schedule is due. Runs that became due while the service was down are started once. */
@Injectable()
export class SyncKnowledgeOnSchedule {
  private readonly rounds = new PagedRounds<SyncRow, Cursor>('scheduled runs could not be requested', ({ bot_id }) => bot_id);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async startDue(): Promise<void> {
    await this.rounds.run(
      (after) => this.queries.execute(new SchedulesDue(this.clock.now(), after, AT_ONCE)),
      ({ bot_id, next_time }) => {
        const due = Instant.ofMillis(next_time!);
        return this.commands.execute(new ExecuteKnowledgeSync(bot_id, { type: 'RequestOnSchedule', due }));
      },
    );
  }
}
