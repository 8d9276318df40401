import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, LOGGER, Timers } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { RequestContext, ShutdownPlan } from '@parlance/observability';
import type { Logger } from 'pino';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { type SyncRow, SyncsDue } from '../projections/knowledge.ts';
import { type ClaimedRun, LEASE_MILLIS, SyncRun } from './sync-run.ts';

/** Runs that one process works on at the same time. */
export const RUNS_AT_ONCE = 2;
/** A run ends as failed after this time. */
export const DEADLINE_MILLIS = 2 * 3_600_000;

const LOOK_EVERY_MILLIS = 1_000;

/** Decides which runs this process works on: those that wait the longest, and those whose worker was lost. */
@Injectable()
export class SyncRuns implements OnApplicationBootstrap {
  private readonly inHand = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private looking: Promise<void> | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly run: SyncRun,
    private readonly clock: Clock,
    private readonly timers: Timers,
    private readonly shutdown: ShutdownPlan,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(LOOK_EVERY_MILLIS, 'take runs', () => this.look());
    this.shutdown.stop('consumers', 'bots: runs', () => this.stop());
  }

  /** Looks for runs now, instead of at the next look of the timer. */
  wake(): void {
    void RequestContext.run(RequestContext.background(), () => this.look()).catch((error: unknown) => {
      this.log.error({ err: error }, 'a look for runs failed; the timer looks again');
    });
  }

  /** Ends the runs in hand without a result. Another worker takes them when their leases have ended. */
  private async stop(): Promise<void> {
    this.stopping.abort(new Error('the process stops'));
    await Promise.all(this.inHand.values());
  }

  private look(): Promise<void> {
    this.looking ??= this.take().finally(() => (this.looking = null));
    return this.looking;
  }

  private async take(): Promise<void> {
    if (this.stopping.signal.aborted || this.inHand.size >= RUNS_AT_ONCE) return;
    const due = await this.queries.execute(new SyncsDue(this.clock.now(), RUNS_AT_ONCE * 4));
    for (const row of due) {
      if (this.inHand.size >= RUNS_AT_ONCE) return;
      // A run in hand notices by itself that there is a newer version, and ends.
      if (this.inHand.has(row.bot_id)) continue;
      const claimed = await this.claim(row);
      if (claimed) this.start(claimed);
    }
  }

  /** Null if another worker was faster, or if the run was only to be ended. */
  private async claim({ bot_id: botId, owner_user_id: ownerUserId, wanted }: SyncRow): Promise<ClaimedRun | null> {
    const now = this.clock.now();
    const claim = newId();
    const lease = { leaseUntil: Instant.plus(now, LEASE_MILLIS), deadline: Instant.plus(now, DEADLINE_MILLIS) };
    try {
      const command = { type: 'Claim', runId: newId(), claim, wanted, now, ...lease } as const;
      const { state } = await this.commands.execute(new ExecuteKnowledgeSync(botId, command));
      return state.run?.claim === claim ? { botId, ownerUserId, ...state.run } : null;
    } catch (error) {
      if (!(error instanceof Refusal) || isTransient(error)) throw error;
      return null;
    }
  }

  private start(claimed: ClaimedRun): void {
    const work = RequestContext.run(RequestContext.background(), () => this.run.work(claimed, this.stopping.signal))
      .catch((error: unknown) => {
        const { botId, runId } = claimed;
        this.log.error({ err: error, botId, runId }, 'a run could not go on; it is taken over when its lease ends');
      })
      .finally(() => {
        this.inHand.delete(claimed.botId);
        this.wake();
      });
    this.inHand.set(claimed.botId, work);
  }
}
