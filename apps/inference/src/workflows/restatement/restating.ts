import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, Refusal } from '@parlance/decider';
import { EventStore, newId } from '@parlance/event-store';
import { Clock, LOGGER } from '@parlance/foundation';
import { RequestContext } from '@parlance/observability';
import type { Logger } from 'pino';
import { ExecuteRestatements } from '../../commands/aggregates.ts';
import type { Restatements } from '../../domain/restatement/restatement.ts';
import { RunningRestatement } from '../../projections/restatement/restatements.ts';
import { RestatedCharges } from './restated-charges.ts';

/** How long a crashed worker blocks a restatement. Each part renews the lease. */
export const RESTATEMENT_LEASE_MILLIS = 30_000;
const PART_MILLIS = 5_000;
/** A page is summed in a few milliseconds. The store limits its bytes. */
const PAGE_COMMITS = 200;
/** A part is recorded after this many hourly sums, which become corrections, or this many commits. */
const PART_CORRECTIONS = 400;
export const PART_COMMITS = 20_000;

/**
 * Recalculates the cost of past usage from the log, part by part. Each part is one append with its corrections and the position that it has
 * reached, so the next worker continues after the last part, and no usage is corrected twice.
 */
@Injectable()
export class Restating {
  private readonly stopping = new AbortController();
  private working: Promise<void> | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly store: EventStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.working?.catch(() => undefined);
  }

  /** Starts now, instead of at the next run of the timer. */
  wake(): void {
    void RequestContext.run(RequestContext.background(), () => this.continueRunning()).catch((error: unknown) => {
      this.log.error({ err: error }, 'a restatement failed; the timer will continue it');
    });
  }

  /** Continues the running restatement if it has no worker. Resolves when nothing is left to do. */
  continueRunning(): Promise<void> {
    this.working ??= this.work().finally(() => (this.working = null));
    return this.working;
  }

  private async work(): Promise<void> {
    const id = await this.queries.execute(new RunningRestatement());
    if (id === null || this.stopping.signal.aborted) return;
    const claim = newId();
    try {
      let state = await this.claim(id, claim);
      while (state.running?.id === id && !this.stopping.signal.aborted) state = await this.advance(state.running, state, claim);
    } catch (error) {
      // Another worker has the restatement, or has completed it.
      if (!(error instanceof Refusal && error.code === 'restatement_taken_over')) throw error;
    }
  }

  private async claim(id: string, claim: string): Promise<Restatements> {
    const command = { type: 'Claim', id, now: this.clock.now(), ...this.lease(claim) } as const;
    return (await this.commands.execute(new ExecuteRestatements(command))).state;
  }

  private lease(claim: string) {
    return { claim, leaseUntil: Instant.plus(this.clock.now(), RESTATEMENT_LEASE_MILLIS) };
  }

  /** Reads the next part of the log, and records its corrections. */
  private async advance(
    running: NonNullable<Restatements['running']>,
    { restated, corrected }: Restatements,
    claim: string,
  ): Promise<Restatements> {
    const { id, position: after, until } = running;
    const charges = new RestatedCharges(running, restated, corrected);
    const begun = performance.now();
    let to = after;
    while (to < until && to - after < PART_COMMITS && charges.size < PART_CORRECTIONS && performance.now() - begun < PART_MILLIS) {
      const commits = await this.store.readAll(to, Math.min(PAGE_COMMITS, until - to));
      for (const commit of commits) charges.add(commit);
      to = commits.at(-1)!.position;
      await setImmediate();
      if (this.stopping.signal.aborted) break;
    }
    const found = { sums: charges.sums(), corrections: charges.corrections() };
    const command = { type: 'Advance', id, after, to, ...found, now: this.clock.now(), ...this.lease(claim) } as const;
    return (await this.commands.execute(new ExecuteRestatements(command))).state;
  }
}
