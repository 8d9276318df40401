import { Parlance } from '@parlance/client';
import { askForProof } from '../second-factor/step-up.ts';
import { oneRefreshAtATime } from './one-refresh-at-a-time.ts';
import { withReusedKeys } from './idempotency-keys.ts';
import { sessionEnded, sessionIsOf } from './session-state.ts';
import { withoutMaskedSecrets } from './masked-secrets.ts';

/** The API client of this page. The access token is kept only in memory; the refresh token is in an HttpOnly cookie. */
export const parlance = new Parlance({
  baseUrl: globalThis.location.origin,
  useCookie: true,
  fetch: withoutMaskedSecrets(withReusedKeys(oneRefreshAtATime((input, init) => globalThis.fetch(input, init)))),
  stepUp: askForProof,
  onTokens: (tokens) => {
    if (tokens === null) sessionEnded();
    else sessionIsOf(parlance.session.userId);
  },
});
