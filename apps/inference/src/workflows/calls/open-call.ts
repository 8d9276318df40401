import type { PolicyVerdict } from '@parlance/guardrails';
import type { CallFormat } from '../../adapters/calls/call-formats.ts';
import type { AllowedModel } from './allowed-models.ts';
import type { CallBody } from '../../adapters/calls/caller-body.ts';
import type { CallProvider } from '../../adapters/model-providers.ts';
import type { CallOutcome } from '../../domain/calls/call-record.ts';
import type { Price } from '../../domain/model-prices.ts';
import type { Estimate } from './call-estimate.ts';
import type { CallEstimates } from './call-estimates.ts';
import type { AdmittedCall } from './call-limits.ts';
import type { CallRecorder } from './call-recorder.ts';
import type { CallPlan, PlannedTarget } from './routes/call-plans.ts';

export type Outcome = Omit<CallOutcome, 'callId' | 'millis' | 'model' | 'tries' | 'policies'>;

/** What a call is recorded under. */
export interface Recorded {
  readonly callId: string;
  readonly recordId: string;
  readonly reservedNanoDollars: number;
  /** Returns to the budgets what the recorded cost leaves of the reservation. */
  settle(costNanoDollars: number): void;
}

/** The policies that check a call. */
interface Guard {
  /** What they have found so far. */
  verdicts(): readonly PolicyVerdict[];
  /** Called once, when the call has ended. */
  ended(verdicts: readonly PolicyVerdict[]): void;
}

interface Opened {
  readonly body: CallBody;
  readonly format: CallFormat;
  readonly hasOutput: boolean;
  readonly isFree: boolean;
  readonly plan: CallPlan;
  readonly estimates: CallEstimates;
  readonly admitted: AdmittedCall;
  readonly warning: string | null;
  readonly recorded: Recorded;
}

/**
 * A call that is recorded, and must be ended. Only the first end counts. An attempt that a target may have billed is settled under its own ID, and the
 * next attempt is recorded under another one.
 */
export class OpenCall {
  /** The request as providers get it, except the model. */
  body: CallBody;
  readonly format: CallFormat;
  readonly hasOutput: boolean;
  /** Whether the provider never bills it. */
  readonly isFree: boolean;
  readonly plan: CallPlan;
  readonly estimates: CallEstimates;
  readonly admitted: AdmittedCall;
  /** A sentence when a soft budget is exceeded. */
  readonly warning: string | null;
  begunAt = performance.now();
  /** The attempt that was charged without an answer. */
  chargedId: string | null = null;
  private guard: Guard | null = null;
  private target: PlannedTarget;
  private recorded: Recorded;
  private tries = 0;
  /** What settled attempts have used. */
  private readonly settled = { costNanoDollars: 0, tokens: 0 };
  private ended: Promise<number> | undefined;

  constructor(
    opened: Opened,
    private readonly recorder: CallRecorder,
  ) {
    const { body, format, hasOutput, isFree, plan, estimates, admitted, warning } = opened;
    this.body = body;
    this.format = format;
    this.hasOutput = hasOutput;
    this.isFree = isFree;
    this.plan = plan;
    this.estimates = estimates;
    this.admitted = admitted;
    this.warning = warning;
    this.recorded = opened.recorded;
    this.target = [...plan.targets, ...plan.fallbacks][0]!;
  }

  get callId(): string {
    return this.recorded.callId;
  }

  /** The model that is called. */
  get model(): AllowedModel {
    return this.target;
  }

  /** When the call began. Null for a model without a price. */
  get price(): Price | null {
    return this.target.price;
  }

  /** Null if the call is answered here. */
  get provider(): CallProvider | null {
    return this.target.provider;
  }

  /** What the call can use, by the tokenizer. */
  readonly counted = (): Promise<Estimate> => this.estimates.counted(this.target);

  guardedBy(guard: Guard): void {
    this.guard = guard;
  }

  attempt(target: PlannedTarget): void {
    this.target = target;
    this.tries++;
  }

  /** Resolves with the recorded cost of all attempts, in nano-dollars. */
  end(outcome: Outcome): Promise<number> {
    return (this.ended ??= this.last(outcome));
  }

  /** Records that the target may have billed the attempt. `recordAgain`, or `giveUp` must follow. */
  async settle(outcome: Outcome): Promise<void> {
    this.chargedId = this.callId;
    this.settled.tokens += tokensOf(outcome);
    this.settled.costNanoDollars += await this.record(outcome);
  }

  recordAgain(recorded: Recorded): void {
    this.recorded = recorded;
    this.begunAt = performance.now();
  }

  /** Ends a call after `settle`, if its next attempt could not be recorded. */
  giveUp(): void {
    if (this.ended) return;
    this.admitted.end(this.settled.tokens);
    this.guard?.ended(this.guard.verdicts());
    this.ended = Promise.resolve(this.settled.costNanoDollars);
  }

  private async last(outcome: Outcome): Promise<number> {
    this.admitted.end(this.settled.tokens + tokensOf(outcome));
    this.guard?.ended(this.guard.verdicts());
    return this.settled.costNanoDollars + (await this.record(outcome));
  }

  /** Resolves with the recorded cost. */
  private async record(outcome: Outcome): Promise<number> {
    const { callId, recordId, reservedNanoDollars, settle } = this.recorded;
    const millis = Math.round(performance.now() - this.begunAt);
    const routed = this.plan.route ? { model: this.target.entry.id, tries: this.tries } : {};
    const policies = this.guard?.verdicts() ?? [];
    const ended = { callId, ...outcome, ...routed, ...(policies.length > 0 && { policies }), millis };
    const cost = (await this.recorder.end(recordId, ended)) ? outcome.costNanoDollars : reservedNanoDollars;
    settle(cost);
    return cost;
  }
}

const tokensOf = ({ usage }: Outcome): number => usage.inputTokens + usage.outputTokens;
