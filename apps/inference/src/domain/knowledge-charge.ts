import type { Decider } from '@parlance/decider';
import type { UsedApi } from './conversation-owner.ts';
import type { Usage } from './conversation-events.ts';

/** The cost of a call to a model that was made for a bot's knowledge. */
export interface KnowledgeCharge {
  readonly purpose: 'embedding' | 'parsing' | 'reranking';
  readonly userId: string;
  readonly botId: string;
  readonly model: string;
  readonly usage: Usage;
  /** Searches of a reranker. */
  readonly units?: number;
  readonly costNanoDollars: number;
  /** The published API of a program that searched. */
  readonly api?: UsedApi;
}

export type KnowledgeChargeCommand = { type: 'Charge' } & KnowledgeCharge;
export type KnowledgeChargeEvent = { type: 'KnowledgeCharged' } & KnowledgeCharge;

/** Each use of a model has its own stream, so that it is charged once. */
export const knowledgeCharge: Decider<KnowledgeChargeCommand, KnowledgeChargeEvent, { readonly isCharged: boolean }> = {
  initialState: { isCharged: false },
  decide({ type: _, ...charge }, { isCharged }) {
    return isCharged ? [] : [{ type: 'KnowledgeCharged', ...charge }];
  },
  evolve: () => ({ isCharged: true }),
};

export const knowledgeChargeStream = (useId: string) => `knowledgecharge-${useId}`;
