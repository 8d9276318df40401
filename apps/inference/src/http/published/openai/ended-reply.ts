import type { UsedChunk } from '../../answers.ts';

/** Tokens of a reply, with the names of the native routes. */
export interface ReplyUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
}

/** A reply that has ended without a failure. */
export interface EndedReply {
  readonly text: string;
  readonly reasoning: string;
  readonly stopReason: string;
  /** The guardrail of the bot has replaced the answer. */
  readonly isBlocked: boolean;
  readonly usage: ReplyUsage | null;
  readonly chunks: readonly UsedChunk[];
}

/** Why a reply failed. */
export interface FailedReply {
  readonly code: string;
  readonly message: string;
}

export const hasFailed = (reply: EndedReply | FailedReply): reply is FailedReply => 'code' in reply;

export type EndCause = 'stop' | 'length' | 'content_filter';

/** Why a reply ended, in OpenAI's terms. */
export function causeOf({ stopReason, isBlocked }: Pick<EndedReply, 'stopReason' | 'isBlocked'>): EndCause {
  if (isBlocked || stopReason === 'content_filtered') return 'content_filter';
  return stopReason === 'max_tokens' ? 'length' : 'stop';
}

const NOTHING: ReplyUsage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 };

export const usageOrNothing = (usage: ReplyUsage | null): ReplyUsage => usage ?? NOTHING;
