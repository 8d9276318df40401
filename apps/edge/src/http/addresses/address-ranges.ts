import { BlockList, isIPv4 } from 'node:net';
import { plainAddress } from './plain-address.ts';

const BITS_BEFORE_MAPPED = 96;
const REMEMBERED = 1_000;

/** Ranges of addresses in CIDR form, IPv4 and IPv6. IPv4 in IPv6 notation is IPv4, in ranges too. */
export class AddressRanges {
  // Two lists, because a single list would also compare an IPv4 address with the IPv6 ranges, as a mapped address.
  private readonly v4 = new BlockList();
  private readonly v6 = new BlockList();
  /** Cached results, because the same addresses come repeatedly. */
  private readonly found = new Map<string, boolean>();
  readonly isEmpty: boolean;

  constructor(ranges: readonly string[]) {
    this.isEmpty = ranges.length === 0;
    for (const range of ranges) this.add(range);
  }

  /** False for a text that is not a plain address. */
  include(address: string): boolean {
    let included = this.found.get(address);
    if (included === undefined) {
      included = this.lookUp(address);
      if (this.found.size === REMEMBERED) this.found.clear();
      this.found.set(address, included);
    }
    return included;
  }

  private lookUp(address: string): boolean {
    const plain = plainAddress(address);
    if (plain === null) return false;
    return isIPv4(plain) ? this.v4.check(plain, 'ipv4') : this.v6.check(plain, 'ipv6');
  }

  private add(range: string): void {
    const [address = '', length] = range.split('/');
    const plain = plainAddress(address);
    if (plain === null) throw new Error(`${range} is not a range of addresses`);
    const mapped = isIPv4(plain) && !isIPv4(address);
    const bits = length === undefined ? null : Number(length) - (mapped ? BITS_BEFORE_MAPPED : 0);
    if (bits !== null && bits < 0) this.v6.addSubnet(address, Number(length), 'ipv6');
    else if (isIPv4(plain)) this.v4.addSubnet(plain, bits ?? 32, 'ipv4');
    else this.v6.addSubnet(plain, bits ?? 128, 'ipv6');
  }
}
