import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Instant, isLeased } from '@parlance/decider';
import { Clock, LOGGER } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import { LiveReplies, type LiveReply } from '../live-replies.ts';
import { REPLY_MINUTES } from '../writing/reply-failures.ts';
import { isOver } from '../writing/reply-work.ts';
import { LEASE_MILLIS } from './worker-lease.ts';

/** How often the leases are checked. */
export const EVERY_MILLIS = 1_000;

/**
 * Extends the leases of the replies that this process writes when half of a lease has passed, so a reply that takes less time needs no
 * renewal. Stops a worker that has lost its reply, whose reply takes too long, or whose reply was cancelled through another replica. One
 * timer checks all replies, because a timer per reply would make every short reply more expensive.
 */
@Injectable()
export class RenewLeasesWhileRepliesAreWritten {
  constructor(
    private readonly commands: CommandBus,
    private readonly replies: LiveReplies,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Whether this process writes no reply. */
  get hasNone(): boolean {
    return this.replies.size === 0;
  }

  /** Resolves when the renewals that it started have ended. */
  async check(): Promise<void> {
    const now = this.clock.now();
    const renewals: Promise<void>[] = [];
    for (const live of this.replies.all()) {
      if (now - live.begunAt > REPLY_MINUTES * 60_000) live.stop('out_of_time');
      else if (!isLeased(live.leaseUntil, Instant.plus(now, LEASE_MILLIS / 2)) && !live.isRenewing) renewals.push(this.renew(live, now));
    }
    await Promise.all(renewals);
  }

  private async renew(live: LiveReply, now: Instant): Promise<void> {
    const { conversationId, replyId, claim } = live.reply;
    const leaseUntil = Instant.plus(now, LEASE_MILLIS);
    live.isRenewing = true;
    try {
      const command = { type: 'RenewClaim', replyId, claim, leaseUntil, ...this.replies.claimLocation } as const;
      const { state } = await RequestContext.run(RequestContext.background(), () =>
        this.commands.execute(new ExecuteConversation(conversationId, command)),
      );
      live.leaseUntil = leaseUntil;
      if (state.running[replyId]?.isCancelled) live.stop('cancelled');
    } catch (error) {
      if (isOver(error)) live.stop('lost');
      // The next check tries again. The event log decides whether this worker may still finish the reply.
      else this.log.warn({ err: error, replyId }, 'the lease of a reply could not be renewed');
    } finally {
      live.isRenewing = false;
    }
  }
}
