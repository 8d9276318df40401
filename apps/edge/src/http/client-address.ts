import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The address that a request is from: the socket's, unless that is a trusted proxy's. Then the right-most address of
 * X-Forwarded-For that isn't a trusted proxy's; everything left of it could have been written by the client.
 */
export class ClientAddress {
  private readonly trusted = new BlockList();

  constructor(trustedProxies: readonly string[]) {
    for (const range of trustedProxies) {
      const [address = '', bits] = range.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.trusted.addAddress(address, family);
      else this.trusted.addSubnet(address, Number(bits), family);
    }
  }

  of(socketAddress: string, forwardedFor: string | undefined): string {
    let address = plain(socketAddress);
    const hops = (forwardedFor ?? '').split(',').reverse();
    for (const hop of hops) {
      if (!this.isTrusted(address)) return address;
      const next = plain(hop.trim());
      if (isIP(next) === 0) return address;
      address = next;
    }
    return address;
  }

  private isTrusted(address: string): boolean {
    return isIP(address) !== 0 && this.trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

/** `::ffff:1.2.3.4` is `1.2.3.4`. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}
