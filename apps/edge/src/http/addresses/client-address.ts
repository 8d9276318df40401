import { AddressRanges } from './address-ranges.ts';
import { plainAddress } from './plain-address.ts';

/** An unknown address. No allowlist contains it, and all clients with it share one limit. */
const UNKNOWN = '';

/**
 * The client address of a request: the socket's address, unless it belongs to a trusted proxy. Then it is the right-most address of
 * X-Forwarded-For that does not belong to a trusted proxy, because the client can write everything left of it. An invalid entry added by a
 * trusted proxy makes the address unknown. The proxy's own address does not replace it, because more may be allowed to the proxy.
 */
export class ClientAddress {
  private readonly trusted: AddressRanges;
  /** The last result for a socket, because a socket usually sends the same header. */
  private last = { socket: '', plain: '' };

  constructor(trustedProxies: readonly string[]) {
    this.trusted = new AddressRanges(trustedProxies);
  }

  of(socketAddress: string, forwardedFor: string | undefined): string {
    if (this.last.socket !== socketAddress) this.last = { socket: socketAddress, plain: plainAddress(socketAddress) ?? socketAddress };
    let address = this.last.plain;
    // Without the header, the proxy itself is the client.
    if (forwardedFor === undefined) return address;
    const hops = forwardedFor.split(',').reverse();
    for (const hop of hops) {
      if (!this.trusted.include(address)) return address;
      address = plainAddress(withoutPort(hop.trim())) ?? UNKNOWN;
    }
    return address;
  }
}

/** Some proxies add the port, and put IPv6 in brackets. Without brackets, a colon belongs to the address. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;

function withoutPort(hop: string): string {
  const [, bracketed, v4] = WITH_PORT.exec(hop) ?? [];
  // Brackets contain IPv6 only.
  if (bracketed !== undefined) return bracketed.includes(':') ? bracketed : '';
  return v4 ?? hop;
}
