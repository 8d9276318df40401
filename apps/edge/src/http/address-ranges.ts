import { BlockList, isIP, isIPv4 } from 'node:net';

/** Ranges of addresses in CIDR form, IPv4 and IPv6. */
export class AddressRanges {
  private readonly list = new BlockList();
  readonly isEmpty: boolean;

  constructor(ranges: readonly string[]) {
    this.isEmpty = ranges.length === 0;
    for (const range of ranges) {
      const [address = '', bits] = range.split('/');
      const family = familyOf(address);
      if (bits === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(bits), family);
    }
  }

  /** False for what is no plain address: octal, a zone id, a name. */
  include(address: string): boolean {
    return isIP(address) !== 0 && !address.includes('%') && this.list.check(address, familyOf(address));
  }
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');
