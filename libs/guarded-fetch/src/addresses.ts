import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv4 ranges that an address from a user must not lead to. All others are public. */
export const FORBIDDEN_IPV4: readonly string[] = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and the metadata service of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata service of Azure
  '169.254.0.0/16', // link-local, and the metadata services of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, and the metadata service of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** Only these IPv6 addresses are global. IPv4-mapped addresses are judged as IPv4. */
const GLOBAL_IPV6 = '2000::/3';

/** Parts of the global range that an address from a user must not lead to. */
export const FORBIDDEN_IPV6: readonly string[] = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: leads to an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** Networks with IPv6 only reach IPv4 through this prefix. The last four bytes are the IPv4 address. */
const NAT64 = '64:ff9b::/96';

/** The first half of an ISATAP interface identifier. The IPv4 address follows it. */
const ISATAP: readonly number[] = [0, 0x5efe];

/**
 * Decides which IP addresses may be connected to. Special-purpose ranges are forbidden, except the ranges that the deployment allows. An allowed
 * range applies to the address itself, and an IPv4 range also to IPv4-mapped addresses. It does not apply to addresses that a gateway translates
 * (NAT64, 6to4), because the gateway is another machine with other neighbours.
 */
export class AddressRules {
  private readonly allowed: Ranges;
  private readonly forbidden = new Ranges([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6]);
  private readonly global = new Ranges([GLOBAL_IPV6]);
  private readonly nat64 = new Ranges([NAT64]);

  /** Throws RangeError if a range is not in CIDR notation. */
  constructor(allowedPrivateRanges: readonly string[]) {
    this.allowed = new Ranges(allowedPrivateRanges);
  }

  /** Also false for text that is not an IP address, and for an address with a zone id. */
  allows(text: string): boolean {
    if (isIP(text) === 0 || text.includes('%')) return false;
    const address = parsed(text);
    if (this.allowed.contain(address)) return true;
    if (address instanceof ipaddr.IPv4) return !this.forbidden.contain(address);
    if (this.nat64.contain(address)) return !this.forbidden.contain(embeddedIPv4(address));
    if (!this.global.contain(address) || this.forbidden.contain(address)) return false;
    return !isIsatap(address) || !this.forbidden.contain(embeddedIPv4(address));
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The families are kept apart, because one BlockList would also apply `::/0` to all of IPv4. */
class Ranges {
  private readonly lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [network = '', bits = '', ...rest] = range.split('/');
      const widest = isIPv4(network) ? 32 : 128;
      const isRange =
        isIP(network) !== 0 && !network.includes('%') && /^\d{1,3}$/.test(bits) && Number(bits) <= widest && rest.length === 0;
      if (!isRange) throw new RangeError(`${JSON.stringify(range)} is not an IP range in CIDR notation, such as 10.0.0.0/8.`);
      this.add(network, Number(bits));
    }
  }

  contain(address: Address): boolean {
    const family = address.kind();
    return this.lists[family].check(address.toString(), family);
  }

  /** Mapped addresses are judged as IPv4, so an IPv4-mapped range is stored as its IPv4 range. */
  private add(text: string, bits: number): void {
    const network = parsed(text);
    const isMapped = text.includes(':') && network instanceof ipaddr.IPv4;
    if (isMapped && bits < MAPPED_BITS)
      throw new RangeError(`The range ${text}/${bits} is wider than all IPv4-mapped addresses. Write it as IPv4.`);
    this.lists[network.kind()].addSubnet(network.toString(), isMapped ? bits - MAPPED_BITS : bits, network.kind());
  }
}

/** Parses an address; IPv4-mapped ones become IPv4. ipaddr.js treats `::1.2.3.4` as IPv4-mapped, so it gets only hexadecimal digits. */
function parsed(text: string): Address {
  return ipaddr.process(text.includes(':') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

/** Bits before the IPv4 address of an IPv4-mapped address. */
const MAPPED_BITS = 96;

function embeddedIPv4({ parts }: ipaddr.IPv6): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(-2);
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** The bit that marks a globally unique interface identifier. ISATAP identifiers have it set or not. */
const UNIVERSAL = 0x0200;

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [flags = 0, mark] = parts.slice(4, 6);
  return (flags & ~UNIVERSAL) === ISATAP[0] && mark === ISATAP[1];
}
