import { AddressRanges } from './address-ranges.ts';
import { plainAddress } from './plain-address.ts';

/**
 * The address that a request is from: the socket's, unless that is a trusted proxy's. Then the right-most address of
 * X-Forwarded-For that isn't a trusted proxy's; everything left of it could have been written by the client.
 */
export class ClientAddress {
  private readonly trusted: AddressRanges;

  constructor(trustedProxies: readonly string[]) {
    this.trusted = new AddressRanges(trustedProxies);
  }

  of(socketAddress: string, forwardedFor: string | undefined): string {
    let address = plainAddress(socketAddress) ?? socketAddress;
    const hops = (forwardedFor ?? '').split(',').reverse();
    for (const hop of hops) {
      if (!this.trusted.include(address)) return address;
      const next = plainAddress(hop.trim());
      if (next === null) return address;
      address = next;
    }
    return address;
  }
}
