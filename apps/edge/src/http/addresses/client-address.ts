import { AddressRanges } from './address-ranges.ts';
import { plainAddress } from './plain-address.ts';

/** What stands for a client of whom nothing is known: in no list, and one holder of requests for all of them. */
const NOBODY_KNOWS = '';

/**
 * The address that a request is from: the socket's, unless that is a trusted proxy's. Then the right-most address of
 * X-Forwarded-For that isn't a trusted proxy's; everything left of it could have been written by the client. Where a
 * trusted proxy names something that is no address, the address is unknown: not the proxy's own, to which more may be allowed.
 */
export class ClientAddress {
  private readonly trusted: AddressRanges;

  constructor(trustedProxies: readonly string[]) {
    this.trusted = new AddressRanges(trustedProxies);
  }

  of(socketAddress: string, forwardedFor: string | undefined): string {
    let address = plainAddress(socketAddress) ?? socketAddress;
    // A proxy that says nothing asks for itself.
    const hops = forwardedFor?.split(',').reverse() ?? [];
    for (const hop of hops) {
      if (!this.trusted.include(address)) return address;
      address = plainAddress(withoutPort(hop.trim())) ?? NOBODY_KNOWS;
    }
    return address;
  }
}

/** Some proxies tell the port too, and put IPv6 in brackets. Without those, what follows a colon is of the address. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;

function withoutPort(hop: string): string {
  const [, bracketed, v4] = WITH_PORT.exec(hop) ?? [];
  // In brackets there is IPv6 only.
  if (bracketed !== undefined) return bracketed.includes(':') ? bracketed : '';
  return v4 ?? hop;
}
