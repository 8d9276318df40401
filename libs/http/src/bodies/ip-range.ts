import { isIPv4, isIPv6 } from 'node:net';
import { ValidateBy } from 'class-validator';

const GROUPS = 8;
const GROUP_BITS = 16;
const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED_BITS = 96;
const LONGEST_RANGE = 64;

/**
 * The range with its first address in the usual notation; null if the text is not a range. A single address counts as a range. IPv4 in IPv6
 * notation counts as IPv4.
 */
export function canonicalRange(text: string): string | null {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0 || text.length > LONGEST_RANGE || (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length))) return null;
  if (isIPv4(address)) return v4Range(v4Bits(address), length === undefined ? V4_BITS : Number(length));
  if (!isIPv6(address) || address.includes('%')) return null;
  const bits = length === undefined ? V6_BITS : Number(length);
  if (bits > V6_BITS) return null;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped && bits >= MAPPED_BITS) return v4Range(groups[6]! * 2 ** GROUP_BITS + groups[7]!, bits - MAPPED_BITS);
  const masked = groups.map((group, place) => {
    const kept = Math.min(GROUP_BITS, Math.max(0, bits - place * GROUP_BITS));
    return kept === 0 ? 0 : group & (0xffff << (GROUP_BITS - kept)) & 0xffff;
  });
  return `${canonicalV6(masked.map((group) => group.toString(16)).join(':'))}/${bits}`;
}

function v4Range(address: number, bits: number): string | null {
  if (bits > V4_BITS) return null;
  const first = Math.floor(address / 2 ** (V4_BITS - bits)) * 2 ** (V4_BITS - bits);
  return `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${bits}`;
}

const v4Bits = (address: string): number => address.split('.').reduce((bits, part) => bits * 256 + Number(part), 0);

/** The notation of RFC 5952, which URLs use. */
const canonicalV6 = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1);

function groupsOf(address: string): number[] {
  const [before = '', after] = canonicalV6(address).split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [parts(before), parts(after ?? '')];
  return [...head, ...Array.from({ length: GROUPS - head.length - tail.length }, () => 0), ...tail];
}

export const IsIpRange = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isIpRange', validator: { validate: (text) => typeof text === 'string' && canonicalRange(text) !== null } },
    {
      each: true,
      message: 'must contain only IPv4 or IPv6 addresses, or ranges in CIDR notation such as 192.0.2.0/24',
      context: { schema: { type: 'string', maxLength: LONGEST_RANGE, example: '192.0.2.0/24' } },
    },
  );
