import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * The canonical text of an address, which comparisons use: IPv6 compressed, and IPv4 in IPv6 notation (`::ffff:1.2.3.4`, `::ffff:102:304`,
 * `0:0:0:0:0:ffff:102:304`) as IPv4. Null for any other text: octal, a zone ID, a name.
 */
export function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes('%')) return null;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

/** The network that one client can be assumed to control: a single IPv4 address, or an IPv6 /64. */
export function networkOf(plain: string): string {
  if (!plain.includes(':')) return plain;
  const [head = [], tail] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  return `${[...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(':')}::/64`;
}
