import { isIP } from 'node:net';
import { AddressRanges } from './address-ranges.ts';

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
    let address = plain(socketAddress);
    const hops = (forwardedFor ?? '').split(',').reverse();
    for (const hop of hops) {
      if (!this.trusted.include(address)) return address;
      const next = plain(hop.trim());
      if (isIP(next) === 0) return address;
      address = next;
    }
    return address;
  }
}

/** `::ffff:1.2.3.4` is `1.2.3.4`. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}
