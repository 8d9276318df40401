import type { LookupFunction } from 'node:net';
import type { AddressRules } from './addresses.ts';
import { FetchRefused } from './fetch-refused.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses. Rejects with the code ENOTFOUND if there are none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The most addresses of one DNS answer that are checked and tried. */
const MAX_ADDRESSES = 20;

/**
 * A lookup for `net.connect`. The socket connects to exactly the addresses that were checked here, so a name server cannot give another answer
 * after the check. If any address is forbidden, the whole answer is refused.
 */
export function guardedLookup(lookup: Lookup, rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    checkedAddresses(hostname, lookup, rules).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

async function checkedAddresses(hostname: string, lookup: Lookup, rules: AddressRules): Promise<readonly ResolvedAddress[]> {
  const addresses = (await lookup(hostname)).slice(0, MAX_ADDRESSES);
  if (addresses.length === 0) throw new FetchRefused('host_unknown');
  if (!addresses.every(({ address }) => rules.allows(address))) throw new FetchRefused('address_forbidden');
  return addresses;
}
