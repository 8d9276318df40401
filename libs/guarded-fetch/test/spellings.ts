const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0');
const octal = (value: number) => `0${value.toString(8)}`;

/** One address of every range that IPv4 reserves. The first three reach this machine. */
export const FORBIDDEN_V4 = [
  '127.0.0.1',
  '127.0.0.2',
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.19.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
] as const;

/** IPv6 addresses that are forbidden regardless of an embedded address. */
export const FORBIDDEN_V6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '2001:2::1',
  '3fff::1',
  '5f00::1',
] as const;

/** IPv6 addresses that lead to an IPv4 address. */
export function embeddings(address: string): readonly string[] {
  const [a, b, c, d] = bytesOf(address);
  const pair = `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`;
  const inverted = `${hex(a ^ 255)}${hex(b ^ 255)}:${hex(c ^ 255)}${hex(d ^ 255)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${pair}`,
    `0:0:0:0:0:ffff:${pair}`,
    `::${address}`,
    `::${pair}`,
    `::ffff:0:${pair}`,
    `64:ff9b::${address}`,
    `64:ff9b::${pair}`,
    `64:ff9b:1::${pair}`,
    `2002:${pair}::`,
    `2002:${pair}::1`,
    `2001:0:${pair}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted}`,
    `2606:4700::5efe:${pair}`,
    `2606:4700::200:5efe:${pair}`,
  ];
}

/** The host of a URL in every form that some client interprets as this IPv4 address. */
export function hosts(address: string): readonly string[] {
  const [a, b, c, d] = bytesOf(address);
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const low = (c << 8) | d;
  const wide = [...address].map((sign) => (sign === '.' ? '\u3002' : String.fromCodePoint(0xff10 + Number(sign)))).join('');
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number, 8)}`,
    `0X${hex(number, 8).toUpperCase()}`,
    octal(number),
    [a, b, c, d].map((byte) => `0x${hex(byte)}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((byte) => `000${octal(byte)}`).join('.'),
    `${a}.${((b << 16) | low) >>> 0}`,
    `${a}.${b}.${low}`,
    `0x${hex(a)}.${b}.${octal(low)}`,
    `${octal(a)}.${b}.${c}.0x${hex(d)}`,
    wide,
    [...address].map((sign) => `%${hex(sign.charCodeAt(0))}`).join(''),
    ...embeddings(address).map((embedding) => `[${embedding}]`),
    `[::ffff:${address}%25lo]`,
    `[${embeddings(address)[0]?.toUpperCase()}]`,
  ];
}

function bytesOf(address: string): [number, number, number, number] {
  return address.split('.').map(Number) as [number, number, number, number];
}
