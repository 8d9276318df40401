import { Injectable } from '@nestjs/common';
import type { GuardrailUnits } from '@parlance/chat-models';
import { Clock } from '@parlance/foundation';
import { GUARDRAIL_MODEL, GuardrailPrices } from '../../adapters/pricing/guardrail-prices.ts';
import { SearchCharges } from '../../adapters/pricing/search-charges.ts';
import type { Charge } from '../../domain/conversation-events.ts';
import { inputUsage } from '../../domain/input-usage.ts';
import type { ClaimedReply } from '../live-replies.ts';
import type { PromptOfBot } from './reply-prompt.ts';

interface WorkOnReply {
  readonly live: { readonly reply: ClaimedReply };
  readonly prompt: PromptOfBot | null;
  /** The search is charged with the first round of tool calls. */
  readonly isSearchCharged: boolean;
  /** Units of the calls to the guardrail, which follow the last round. */
  readonly units: readonly GuardrailUnits[];
}

const NO_TOKENS = inputUsage({ tokens: 0, estimated: false });

/** Charges of a reply for other calls than those of the answering model: searches and guardrails. They are recorded with the end of the reply. */
@Injectable()
export class SearchAndGuardrailCharges {
  constructor(
    private readonly searches: SearchCharges,
    private readonly guardrails: GuardrailPrices,
    private readonly clock: Clock,
  ) {}

  async of(work: WorkOnReply): Promise<readonly Charge[]> {
    const { live, prompt, isSearchCharged } = work;
    const search = isSearchCharged || !prompt?.bot ? [] : await this.searches.of(prompt.bot, live.reply.claim);
    return [...search, ...this.guardrail(work)];
  }

  /** Guardrails are charged in text units instead of tokens. */
  private guardrail({ live, units: calls }: WorkOnReply): readonly Charge[] {
    const { units, costNanoDollars } = this.guardrails.cost(calls, this.clock.now());
    if (units === 0) return [];
    const what = { purpose: 'guardrail', model: GUARDRAIL_MODEL, usage: NO_TOKENS, units } as const;
    return [{ chargeId: `${live.reply.claim}-guardrail`, ...what, costNanoDollars }];
  }
}
