import { refuse } from '@parlance/decider';

/** Fields of a response that its provider would keep, or that continue one. All callers share the account at the provider. */
export const STATE_FIELDS = ['store', 'background', 'previous_response_id', 'conversation'] as const;

const SAYS = {
  background: 'No response is written in the background: leave background out.',
  conversation: 'Conversations are not stored: leave conversation out, and continue a stored response with previous_response_id.',
} as const;

/** Throws the refusal `unsupported_parameter` (invalid), which names the field. */
export function requireNoConversation(valueOf: (name: string) => unknown): void {
  for (const path of ['background', 'conversation'] as const) {
    const value = valueOf(path) ?? null;
    if (value === null || value === false) continue;
    throw refuse('invalid', 'unsupported_parameter', SAYS[path], { errors: [{ path, message: 'is not supported' }] });
  }
}
