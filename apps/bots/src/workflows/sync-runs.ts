import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock, LOGGER } from '@parlance/foundation';
import { isTransient } from '@parlance/http';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { ExecuteKnowledgeSync } from '../commands/aggregates.ts';
import { SyncsDue } from '../projections/knowledge/queries.ts';
import type { SyncRow } from '../projections/knowledge/rows.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { LEASE_MILLIS, SyncRun } from './sync-run.ts';
import { Turns } from './turns.ts';

/**
 * Runs that one process works on at the same time, and how many of them may belong to one owner: one owner's slow sources do not block all
 * others.
 */
export const RUNS_AT_ONCE = 3;
export const RUNS_OF_AN_OWNER = 2;
/** A run ends as failed after this time. */
export const DEADLINE_MILLIS = 2 * 3_600_000;

/** The number of waiting runs to choose from. */
const CANDIDATES = 500;
/** How long a run that could not be claimed because of a fault is skipped, so that other runs can start. */
const REST_MILLIS = 60_000;

/**
 * Decides which runs this process works on: runs that wait, and runs whose worker was lost. Owners take turns, and the longest waiting
 * run of an owner is first.
 */
@Injectable()
export class SyncRuns {
  private readonly inProgress = new Map<string, { readonly ownerUserId: string; readonly work: Promise<void> }>();
  private readonly stopping = new AbortController();
  private readonly turns = new Turns();
  /** Bots that are skipped, and until when. */
  private readonly resting = new Map<string, Instant>();
  private looking: Promise<void> | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly run: SyncRun,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Looks for runs now, instead of at the next tick of the timer. */
  wake(): void {
    void RequestContext.run(RequestContext.background(), () => this.look()).catch((error: unknown) => {
      this.log.error({ err: error }, 'searching for runs failed; the timer will try again');
    });
  }

  /** Ends the runs of this process without a result. Another worker takes them when their leases have ended. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the process stops'));
    // A search in progress may still claim a run.
    await this.looking?.catch(() => undefined);
    await Promise.all([...this.inProgress.values()].map(({ work }) => work));
  }

  look(): Promise<void> {
    this.looking ??= this.take().finally(() => (this.looking = null));
    return this.looking;
  }

  private async take(): Promise<void> {
    if (!this.isFree) return;
    const now = this.clock.now();
    for (const [botId, until] of this.resting) if (until <= now) this.resting.delete(botId);
    const due = await this.queries.execute(new SyncsDue(now, CANDIDATES));
    // A run in progress detects a newer version itself, and ends.
    const waiting = due.filter(({ bot_id }) => !this.inProgress.has(bot_id) && !this.resting.has(bot_id));
    while (this.isFree) {
      const row = this.turns.next(waiting, (owner) => this.runsOf(owner) < RUNS_OF_AN_OWNER);
      if (!row) return;
      const claimed = await this.claim(row);
      if (claimed) this.start(claimed);
    }
  }

  private runsOf(owner: string): number {
    return [...this.inProgress.values()].filter(({ ownerUserId }) => ownerUserId === owner).length;
  }

  private get isFree(): boolean {
    return !this.stopping.signal.aborted && this.inProgress.size < RUNS_AT_ONCE;
  }

  /** Null if another worker was faster, or if claiming the run only ended it. */
  private async claim({ bot_id: botId, owner_user_id: ownerUserId, wanted }: SyncRow): Promise<ClaimedRun | null> {
    const now = this.clock.now();
    const claim = newId();
    const lease = { leaseUntil: Instant.plus(now, LEASE_MILLIS), deadline: Instant.plus(now, DEADLINE_MILLIS) };
    try {
      const command = { type: 'Claim', runId: newId(), claim, wanted, now, ...lease } as const;
      const { state } = await this.commands.execute(new ExecuteKnowledgeSync(botId, command));
      return state.run?.claim === claim ? { botId, ownerUserId, ...state.run } : null;
    } catch (error) {
      if (isTransient(error)) throw error;
      if (error instanceof Refusal) return null;
      this.resting.set(botId, Instant.plus(now, REST_MILLIS));
      this.log.error({ err: error, botId }, 'a run could not be claimed; another attempt follows');
      return null;
    }
  }

  private start(claimed: ClaimedRun): void {
    const work = RequestContext.run(RequestContext.background(), () => this.run.work(claimed, this.stopping.signal))
      .catch((error: unknown) => {
        const { botId, runId } = claimed;
        this.log.error({ err: error, botId, runId }, 'a run could not continue; another worker takes it over when its lease ends');
      })
      .finally(() => {
        this.inProgress.delete(claimed.botId);
        this.wake();
      });
    this.inProgress.set(claimed.botId, { ownerUserId: claimed.ownerUserId, work });
  }
}
