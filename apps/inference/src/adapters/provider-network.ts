import { isIP } from 'node:net';
import type { ProviderNetwork } from '@parlance/chat-models';
import { AddressRules, boundedSystemLookup, FetchRefused, guardedLookup, targetOf } from '@parlance/guarded-fetch';

/** The addresses of providers that administrators add: public ones, and the private ranges that the installation allows. */
export function providerNetwork(allowedPrivateRanges: readonly string[]): ProviderNetwork {
  const rules = new AddressRules(allowedPrivateRanges);
  return {
    lookup: guardedLookup(boundedSystemLookup(), rules),
    requireAllowed: (address) => {
      if (!rules.allows(address)) throw new FetchRefused('address_forbidden');
    },
  };
}

/** Throws `FetchRefused` for a base URL that can never be used. A host name is resolved, and checked, with each connection. */
export function requirePossible(baseUrl: string, { requireAllowed }: ProviderNetwork): void {
  const host = targetOf(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) requireAllowed(host);
}
