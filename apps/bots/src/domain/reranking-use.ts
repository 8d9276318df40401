import type { Decider } from '@parlance/decider';

/** What one call to the reranker used, the bot that it was made for, and the user who pays. */
export interface RerankingUse {
  readonly botId: string;
  readonly userId: string;
  /** Name of the reranker. */
  readonly model: string;
  readonly searches: number;
  readonly tokens: number;
  /** The tokens were counted here, because the provider reported no number. */
  readonly estimated: boolean;
  readonly suspicious?: true;
}

export type RerankingUseCommand = { type: 'Record' } & RerankingUse;
export type RerankingUseEvent = { type: 'RerankingUsed' } & RerankingUse;

/** Each use has its own stream, so that it is recorded whatever becomes of the bot. */
export const rerankingUse: Decider<RerankingUseCommand, RerankingUseEvent, { readonly isRecorded: boolean }> = {
  initialState: { isRecorded: false },
  decide({ type: _, ...use }, { isRecorded }) {
    return isRecorded ? [] : [{ type: 'RerankingUsed', ...use }];
  },
  evolve: () => ({ isRecorded: true }),
};

export const rerankingUseStream = (id: string) => `reranking-${id}`;
