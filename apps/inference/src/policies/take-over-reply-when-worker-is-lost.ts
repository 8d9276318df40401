import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock, Timers } from '@parlance/service-kit';
import { AbandonedReplies } from '../projections/messages.ts';
import { ReplyWriter } from './reply-writer.ts';

/** Every accepted message gets its reply: one whose worker was killed is taken over when the lease has run out. */
@Injectable()
export class TakeOverReplyWhenWorkerIsLost implements OnApplicationBootstrap {
  constructor(
    private readonly queries: QueryBus,
    private readonly writer: ReplyWriter,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(1_000, 'take over replies', async () => {
      const abandoned = await this.queries.execute(new AbandonedReplies(this.clock.now()));
      for (const row of abandoned) await this.writer.take(row.conversation_id, row.reply_id);
    });
  }
}
