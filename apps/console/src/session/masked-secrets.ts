import { ParlanceError } from '@parlance/client';
import { queryClient } from '../api/query-client.ts';
import { messages } from '../messages/index.ts';

/** Requests whose responses contain a secret that is shown once. */
const PATHS = /\/(api-key|webhooks|scim-tokens|users|tokens|shares)$/;
const MASKED = /"(?:value|secret|token|temporary_password|url)":"[^"]*…/;

/**
 * If a response is lost, the client repeats the request, and the server returns the secret masked, because it keeps only a hash. A masked
 * secret must not be shown as the real one, so the user is asked to create another.
 */
export function withoutMaskedSecrets(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (init?.method !== 'POST' || typeof input !== 'string' || !PATHS.test(input) || !answer.ok) return answer;
    if (!MASKED.test(await answer.clone().text())) return answer;
    return lost(answer.status);
  };
}

/** The secret of a response, which a service omits when it answers a repeated request. */
export const unmasked = (secret: string | undefined): string => secret ?? lost();

function lost(status?: number): never {
  // The created resource is shown in its list.
  void queryClient.invalidateQueries();
  throw new ParlanceError('secret_lost', messages().common.secretLost, { ...(status !== undefined && { status }) });
}
