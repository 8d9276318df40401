import type { CallFormat } from '../../adapters/calls/call-formats.ts';
import type { CallBody } from '../../adapters/calls/caller-body.ts';
import type { Price } from '../../domain/model-prices.ts';
import { costAt } from '../../adapters/pricing/model-prices.ts';
import { type Estimate, estimateOf, FREE, roughEstimate } from './call-estimate.ts';
import { type CallInput, callInputOf } from './call-inputs.ts';
import type { PlannedTarget } from './routes/call-plans.ts';

/** For comparing prices. */
const BYTES_OF_A_TOKEN = 4;
const OUTPUT_TOKENS = 500;

/** The estimates of one request with each of its targets. The request is counted once, when that is needed. */
export class CallEstimates {
  private input: Promise<CallInput> | undefined;

  constructor(
    private readonly body: CallBody,
    private readonly endpoint: { readonly format: CallFormat; readonly hasOutput: boolean; readonly isFree: boolean },
  ) {}

  /** By the tokenizer. Rejects with the refusal `malformed_body` (invalid). */
  async exact(target: PlannedTarget): Promise<Estimate> {
    if (this.endpoint.isFree) return FREE;
    const counted = await (this.input ??= callInputOf(this.body, this.endpoint.format));
    return estimateOf(counted, this.body, this.facts(target));
  }

  /** By the tokenizer, or from the size of a request that cannot be parsed. */
  async counted(target: PlannedTarget): Promise<Estimate> {
    return this.exact(target).catch(() => this.rough(target));
  }

  /** The dearest target. By the tokenizer if the request was counted before. */
  async dearest(targets: readonly PlannedTarget[]): Promise<{ readonly target: PlannedTarget; readonly estimate: Estimate }> {
    const isCounted = this.input !== undefined || this.endpoint.isFree;
    const each = targets.map(async (target) => ({ target, estimate: isCounted ? await this.exact(target) : this.rough(target) }));
    return (await Promise.all(each)).reduce((most, its) => (its.estimate.costNanoDollars > most.estimate.costNanoDollars ? its : most));
  }

  /** The most that one of the targets may cost, by the tokenizer. */
  async mostCost(targets: readonly PlannedTarget[]): Promise<number> {
    return Math.max(...(await Promise.all(targets.map((target) => this.exact(target)))).map(({ costNanoDollars }) => costNanoDollars));
  }

  /** The most tokens that one of the targets may use, by the tokenizer. */
  async mostTokens(targets: readonly PlannedTarget[]): Promise<number> {
    return Math.max(...(await Promise.all(targets.map((target) => this.exact(target)))).map(({ tokens }) => tokens));
  }

  /** For the comparison of targets: with the same output of each. */
  usualCost(price: Price | null): number {
    const inputTokens = Math.ceil(this.body.length / BYTES_OF_A_TOKEN);
    const outputTokens = this.endpoint.hasOutput ? Math.min(this.body.maxTokens ?? OUTPUT_TOKENS, OUTPUT_TOKENS) * this.body.choices : 0;
    return costAt(price, { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: true });
  }

  private rough(target: PlannedTarget): Estimate {
    return roughEstimate(this.body, this.facts(target));
  }

  private facts({ entry, type, price }: PlannedTarget) {
    const { format, hasOutput } = this.endpoint;
    return { entry, type, price, format, hasOutput };
  }
}
