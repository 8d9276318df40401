import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { Clock, Timers } from '@parlance/foundation';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { SchedulesDue } from '../projections/knowledge.ts';

const LOOK_EVERY_MILLIS = 10_000;
const AT_ONCE = 200;

/** Starts the runs of bots whose schedule is due. Runs that were due while the service was down are started once. */
@Injectable()
export class SyncKnowledgeOnSchedule implements OnApplicationBootstrap {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(LOOK_EVERY_MILLIS, 'start scheduled runs', () => this.startDue());
  }

  async startDue(): Promise<void> {
    for (const { bot_id, next_time } of await this.queries.execute(new SchedulesDue(this.clock.now(), AT_ONCE))) {
      const due = Instant.ofMillis(next_time!);
      await this.commands.execute(new ExecuteKnowledgeSync(bot_id, { type: 'RequestOnSchedule', due }));
    }
  }
}
