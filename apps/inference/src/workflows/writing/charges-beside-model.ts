import { Injectable } from '@nestjs/common';
import type { GuardrailUnits } from '@parlance/chat-models';
import { Clock } from '@parlance/foundation';
import { Catalogue } from '../../adapters/catalogue.ts';
import { GUARDRAIL_MODEL, GuardrailPrices } from '../../adapters/guardrail-prices.ts';
import type { Charge } from '../../domain/conversation-events.ts';
import { inputUsage } from '../../domain/input-usage.ts';
import type { ClaimedReply } from '../live-replies.ts';
import type { PromptOfBot } from './reply-prompt.ts';

interface WorkOnReply {
  readonly live: { readonly reply: ClaimedReply };
  readonly prompt: PromptOfBot | null;
  /** The search is charged with the first round of tools. */
  readonly isSearchCharged: boolean;
  /** Of the calls to the guardrail, which are made after the last round. */
  readonly units: readonly GuardrailUnits[];
}

const NO_TOKENS = inputUsage({ tokens: 0, estimated: false });

/** What was called for a reply beside the model that answers. It is charged with the end of the reply. */
@Injectable()
export class ChargesBesideModel {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly guardrails: GuardrailPrices,
    private readonly clock: Clock,
  ) {}

  async of(work: WorkOnReply): Promise<readonly Charge[]> {
    return [...(await this.embedding(work)), ...this.guardrail(work)];
  }

  private async embedding({ live, prompt, isSearchCharged }: WorkOnReply): Promise<readonly Charge[]> {
    const embedding = isSearchCharged ? null : (prompt?.bot?.embedding ?? null);
    if (!embedding) return [];
    const { model } = embedding;
    const usage = inputUsage(embedding);
    const costNanoDollars = await this.catalogue.cost(model, usage, this.clock.now());
    return [{ chargeId: `${live.reply.claim}-embedding`, purpose: 'embedding', model, usage, costNanoDollars }];
  }

  /** Guardrails are charged by text units, and use no tokens. */
  private guardrail({ live, units: calls }: WorkOnReply): readonly Charge[] {
    const { units, costNanoDollars } = this.guardrails.cost(calls, this.clock.now());
    if (units === 0) return [];
    const what = { purpose: 'guardrail', model: GUARDRAIL_MODEL, usage: NO_TOKENS, units } as const;
    return [{ chargeId: `${live.reply.claim}-guardrail`, ...what, costNanoDollars }];
  }
}
