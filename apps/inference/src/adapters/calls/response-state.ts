import { refuse } from '@parlance/decider';

/** Fields of a response that its provider would keep, or that continue one. All callers share the account at the provider. */
export const STATE_FIELDS = ['store', 'background', 'previous_response_id', 'conversation'] as const;

const SAYS = {
  store: 'Responses are not stored: leave store out, or set it to false.',
  background: 'Responses are not stored, so none is written in the background: leave background out.',
  previous_response_id: 'Responses are not stored: leave previous_response_id out, and send the earlier items in input.',
  conversation: 'Conversations are not stored: leave conversation out, and send the earlier items in input.',
} as const;

/** Throws the refusal `unsupported_parameter` (invalid), which names the field. */
export function requireStateless(valueOf: (name: string) => unknown): void {
  for (const path of STATE_FIELDS) {
    const value = valueOf(path) ?? null;
    if (value === null || value === false) continue;
    throw refuse('invalid', 'unsupported_parameter', SAYS[path], { errors: [{ path, message: 'is not supported' }] });
  }
}
