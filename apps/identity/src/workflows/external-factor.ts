import type { OidcProvider } from '@parlance/config';
import { Instant } from '@parlance/decider';

/** A second factor that a provider has asked for. `at`: the time of the sign-in there, or null if the provider does not state it. */
export interface ExternalFactor {
  readonly at: Instant | null;
}

/**
 * The second factor that an ID token reports in `acr` or `amr`, if the provider's settings accept the value. The sign-in at the provider
 * may be hours old, so its time is taken from `auth_time`, but is never later than now.
 */
export function factorOf(
  { acr, amr, auth_time }: Readonly<Record<string, unknown>>,
  { accepted_acr, accepted_amr }: Pick<OidcProvider, 'accepted_acr' | 'accepted_amr'>,
  now: Instant,
): ExternalFactor | null {
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  const isAccepted = accepted_acr.some((value) => value === acr) || accepted_amr.some((value) => methods.includes(value));
  if (!isAccepted) return null;
  const isTime = typeof auth_time === 'number' && Number.isFinite(auth_time) && auth_time > 0;
  return { at: isTime ? Instant.ofMillis(Math.min(Instant.ofSeconds(auth_time), now)) : null };
}
