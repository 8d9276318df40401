import { Injectable } from '@nestjs/common';
import type { CallCharge } from '@parlance/chat-models';
import { Clock } from '@parlance/foundation';
import { Shredded } from '@parlance/privacy';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import type { Charge } from '../../domain/conversation-events.ts';
import { Stopped } from '../live-replies.ts';
import { SearchAndGuardrailCharges } from './search-and-guardrail-charges.ts';
import { callsIn, usageIn } from './generation.ts';
import { isOver, type Work } from './reply-work.ts';

/** The costs of a reply's calls. */
@Injectable()
export class ReplyCharges {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly beside: SearchAndGuardrailCharges,
    private readonly clock: Clock,
  ) {}

  /** Charges of failed calls, and of searches and guardrails. Each round has its own IDs. */
  async of(work: Work, calls: readonly CallCharge[]): Promise<readonly Charge[]> {
    const { reply } = work.live;
    const rounds = work.rounds.length;
    const charged = calls.map(async ({ model, usage }, index) => ({
      chargeId: rounds === 0 ? `${reply.claim}-${index + 1}` : `${reply.claim}-${rounds}-${index + 1}`,
      purpose: 'chat' as const,
      model,
      usage,
      costNanoDollars: await this.catalogue.cost(model, usage, this.clock.now()),
    }));
    return [...(await this.beside.of(work)), ...(await Promise.all(charged))];
  }

  /** For a reply that fails: charges of all calls before the last one, which is the partial answer. */
  ofFailed(work: Work, error: unknown): Promise<readonly Charge[]> {
    const calls = callsIn(error).slice(0, usageIn(error) ? -1 : undefined);
    return this.of(work, calls.length > 0 ? calls : (work.generation?.begun?.charges ?? []));
  }

  /** For a reply that cannot be stored: charges of all calls. */
  async ofErased(work: Work, error: unknown): Promise<readonly Charge[]> {
    const last = await this.ofLastCall(work, error);
    const charges = await this.ofFailed(work, error);
    if (!last) return charges;
    const { model = work.question.model, usage, costNanoDollars } = last;
    return [...charges, { chargeId: work.live.reply.replyId, purpose: 'chat', model, usage, costNanoDollars }];
  }

  /** The cost of a call that was not stored as completed. Null if the provider charges nothing. */
  async ofLastCall({ question, generation }: Work, error: unknown) {
    if (!generation?.wasCalled) return null;
    const isUnstored = error instanceof Stopped || error instanceof Shredded || isOver(error);
    const mayBeCharged = generation.hasProduced || usageIn(error) !== null || isUnstored;
    if (!mayBeCharged) return null;
    const model = (usageIn(error) ? callsIn(error).at(-1)?.model : undefined) ?? generation.begun?.model ?? question.model;
    const usage = await generation.usage(this.catalogue.windowOf(model), error);
    const costNanoDollars = await this.catalogue.cost(model, usage, this.clock.now());
    return { usage, costNanoDollars, ...(model !== question.model && { model }) };
  }
}
