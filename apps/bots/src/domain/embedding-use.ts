import type { Decider } from '@parlance/decider';

/** The tokens of one call to a provider's embedding model, the bot that it was made for, and the user who pays. */
export interface EmbeddingUse {
  readonly botId: string;
  readonly userId: string;
  /** ID in the catalogue. */
  readonly model: string;
  readonly tokens: number;
  /** Whether Parlance counted the tokens, because the provider reported no number. */
  readonly estimated: boolean;
  /** The number that the provider reported is implausibly high for these texts. */
  readonly suspicious?: true;
}

export type EmbeddingUseCommand = { type: 'Record' } & EmbeddingUse;
export type EmbeddingUseEvent = { type: 'EmbeddingUsed' } & EmbeddingUse;

/**
 * Each use has its own stream. So it is recorded whatever happens to the run and the bot, and concurrent runs do not wait for each
 * other.
 */
export const embeddingUse: Decider<EmbeddingUseCommand, EmbeddingUseEvent, { readonly isRecorded: boolean }> = {
  initialState: { isRecorded: false },
  decide({ type: _, ...use }, { isRecorded }) {
    return isRecorded ? [] : [{ type: 'EmbeddingUsed', ...use }];
  },
  evolve: () => ({ isRecorded: true }),
};

export const embeddingUseStream = (id: string) => `embedding-${id}`;
