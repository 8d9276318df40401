import { FetchRefused } from './fetch-refused.ts';

/** Characters of an address. */
export const MAX_URL = 4_096;

/** Ports of other protocols, as listed in the Fetch standard: a server of such a protocol may interpret a request as commands. */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The URL that a request may be sent to. IP addresses in other notations (decimal, hexadecimal, octal, short) are converted to the usual one.
 * Throws FetchRefused `url_invalid` or `port_forbidden`.
 */
export function targetOf(text: string, base?: URL): URL {
  // The URL parser drops line breaks and tabs, so a check of the text could see another address than the parser does.
  // oxlint-disable-next-line no-control-regex
  if (text.length > MAX_URL || /[\u0000-\u0020\u007f\\]/.test(text)) throw new FetchRefused('url_invalid');
  if (!URL.canParse(text, base?.href)) throw new FetchRefused('url_invalid');
  const url = new URL(text, base);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp || url.username !== '' || url.password !== '' || url.hostname === '' || url.href.length > MAX_URL) {
    throw new FetchRefused('url_invalid');
  }
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port))) throw new FetchRefused('port_forbidden');
  url.hash = '';
  return url;
}

/** Set by the client itself. From the caller they could start a second request on the connection. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
]);

/** The caller's headers in lower case. Throws FetchRefused `header_invalid`. */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const isValid = /^[!#$%&'*+.^_`|~0-9a-z-]{1,200}$/.test(lower) && /^[\t\u0020-\u007e\u0080-\u00ff]{0,8192}$/.test(value);
    if (!isValid || OWN_HEADERS.has(lower) || lower.startsWith('proxy-')) throw new FetchRefused('header_invalid');
    checked[lower] = value;
  }
  return checked;
}
