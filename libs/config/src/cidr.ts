import { isIPv4, isIPv6 } from 'node:net';

export type Family = 4 | 6;

/** `10.0.0.0/8`, `2001:db8::/32`: an address in plain notation (no zone, no octal) and the length of its prefix. */
export function isCidr(text: unknown, family?: Family): text is string {
  if (typeof text !== 'string') return false;
  const [address = '', length = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return false;
  if (family !== 6 && isIPv4(address)) return Number(length) <= 32;
  return family !== 4 && !address.includes('%') && isIPv6(address) && Number(length) <= 128;
}
