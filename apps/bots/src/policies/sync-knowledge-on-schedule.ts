import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock } from '@parlance/foundation';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { SchedulesDue } from '../projections/knowledge.ts';

const AT_ONCE = 200;

/** Starts the runs of bots whose schedule is due. Runs that became due while the service was down are started once. */
@Injectable()
export class SyncKnowledgeOnSchedule {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async startDue(): Promise<void> {
    for (const { bot_id, next_time } of await this.queries.execute(new SchedulesDue(this.clock.now(), AT_ONCE))) {
      const due = Instant.ofMillis(next_time!);
      await this.commands.execute(new ExecuteKnowledgeSync(bot_id, { type: 'RequestOnSchedule', due }));
    }
  }
}
