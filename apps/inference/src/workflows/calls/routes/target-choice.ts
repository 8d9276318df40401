import { GenerationFailed } from '@parlance/chat-models';
import type { CallPlan, PlannedTarget } from './call-plans.ts';
import type { CallTarget } from './call-targets.ts';
import { inOrder } from './target-order.ts';

/** What decides about the targets of one call. */
export interface Choosing {
  readonly userId: string;
  readonly isStreamed: boolean;
  readonly stateOf: (target: PlannedTarget) => CallTarget;
  /** What the call costs with this target, roughly. */
  readonly costOf: (target: PlannedTarget) => number;
}

/** The first pause before a target is called again. It doubles. */
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 1_000;

/** Chooses the targets of one call, one after another. */
export class TargetChoice {
  private readonly tries = new Map<PlannedTarget, number>();
  /** Set when a target may have billed the call: then no target is called again. */
  private mayBeBilled = false;
  private isOver = false;
  private made = 0;

  constructor(
    private readonly plan: CallPlan,
    private readonly choosing: Choosing,
  ) {}

  /** The next target. Null if there is none. */
  next(): PlannedTarget | null {
    if (this.isOver) return null;
    const { route, targets, fallbacks } = this.plan;
    if (route === null) return this.made === 0 && !this.choosing.stateOf(targets[0]!).health.refuses ? targets[0]! : null;
    return this.nextOf(targets, fallbacks, route);
  }

  /** A target that may have billed this call is not called again. */
  isUsable(target: PlannedTarget): boolean {
    if (this.mayBeBilled && this.triesOf(target) > 0) return false;
    return this.choosing.stateOf(target).health.isUsable && target.provider?.gate.state !== 'open';
  }

  /** Counts a call of a target. */
  called(target: PlannedTarget): void {
    this.made++;
    this.tries.set(target, this.triesOf(target) + 1);
  }

  /** A call has failed before the first byte of its answer. */
  failed({ code }: GenerationFailed, mayBeBilled: boolean): void {
    if (mayBeBilled) this.mayBeBilled = true;
    if (code === 'request_refused') this.isOver = true;
  }

  /** The targets that were not called yet. */
  get remaining(): readonly PlannedTarget[] {
    return [...this.plan.targets, ...this.plan.fallbacks].filter((target) => this.triesOf(target) === 0);
  }

  /** How long to wait before this target is called. */
  pauseMillis(target: PlannedTarget): number {
    const tries = this.triesOf(target);
    return tries === 0 ? 0 : Math.min(FIRST_PAUSE_MILLIS * 2 ** (tries - 1), LONGEST_PAUSE_MILLIS) * (0.5 + Math.random() / 2);
  }

  /** The failure of a call for which no target is usable. */
  get noneUsable(): GenerationFailed {
    const waits = [...this.plan.targets, ...this.plan.fallbacks].map((target) => this.choosing.stateOf(target).health.pausedMillis);
    return new GenerationFailed('provider_paused', { retryAfterSeconds: Math.max(1, Math.ceil(Math.min(...waits) / 1_000)) });
  }

  private nextOf(
    targets: readonly PlannedTarget[],
    fallbacks: readonly PlannedTarget[],
    route: NonNullable<CallPlan['route']>,
  ): PlannedTarget | null {
    const { stateOf } = this.choosing;
    const isNew = (target: PlannedTarget): boolean => this.isUsable(target) && this.triesOf(target) === 0;
    const isLeft = (target: PlannedTarget): boolean => !stateOf(target).isExhausted;
    const again = this.made <= route.retries ? targets.filter((target) => this.isUsable(target)) : [];
    return (
      this.best(again.filter(isLeft), route) ??
      fallbacks.filter(isNew).find(isLeft) ??
      // The provider may accept calls before the time that it has named.
      this.best(
        again.filter((target) => this.triesOf(target) === 0),
        route,
      ) ??
      fallbacks.find(isNew) ??
      null
    );
  }

  /** The first one by the strategy, of those that were called least, and of those the ones that have a free turn. */
  private best(targets: readonly PlannedTarget[], { strategy }: NonNullable<CallPlan['route']>): PlannedTarget | null {
    const { userId, isStreamed, stateOf, costOf } = this.choosing;
    const least = Math.min(...targets.map((target) => this.triesOf(target)));
    const ready = targets.filter((target) => this.triesOf(target) === least);
    const free = ready.filter(({ provider }) => provider === null || provider.gate.turns.isFreeFor(userId));
    const candidates = (free.length > 0 ? free : ready).map((target) => {
      const state = stateOf(target);
      return {
        target,
        weight: target.weight,
        calls: state.calls,
        firstByteMillis: state.firstByteMillis(isStreamed),
        cost: costOf(target),
      };
    });
    return inOrder(strategy, candidates)[0]?.target ?? null;
  }

  private triesOf(target: PlannedTarget): number {
    return this.tries.get(target) ?? 0;
  }
}
