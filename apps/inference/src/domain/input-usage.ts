import type { Usage } from './conversation-events.ts';

/** Tokens sent to a model that produces no text. */
export interface InputTokens {
  readonly tokens: number;
  readonly estimated: boolean;
  readonly suspicious?: true;
}

export const inputUsage = ({ tokens, estimated, suspicious }: InputTokens): Usage => ({
  inputTokens: tokens,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  estimated,
  ...(suspicious && { suspicious }),
});
