import type { Decider } from '@parlance/decider';

/** The usage of one call to the reranker, the bot that the call was made for, and the user who pays. */
export interface RerankingUse {
  readonly botId: string;
  readonly userId: string;
  /** Name of the reranker. */
  readonly model: string;
  readonly searches: number;
  readonly tokens: number;
  /** Whether Parlance counted the tokens, because the provider reported no number. */
  readonly estimated: boolean;
  readonly suspicious?: true;
}

export type RerankingUseCommand = { type: 'Record' } & RerankingUse;
export type RerankingUseEvent = { type: 'RerankingUsed' } & RerankingUse;

/** Each use has its own stream, so that it is recorded whatever happens to the bot. */
export const rerankingUse: Decider<RerankingUseCommand, RerankingUseEvent, { readonly isRecorded: boolean }> = {
  initialState: { isRecorded: false },
  decide({ type: _, ...use }, { isRecorded }) {
    return isRecorded ? [] : [{ type: 'RerankingUsed', ...use }];
  },
  evolve: () => ({ isRecorded: true }),
};

export const rerankingUseStream = (id: string) => `reranking-${id}`;
