import { MAX_URL } from '@parlance/guarded-fetch';
import { SourceFailed, shown } from './source-failed.ts';

/**
 * The normalised form of a page's address: no fragment, empty query or default port, and percent-encoding in upper case and only where needed.
 * Null if it is not an http address of a page, or has a user name or password.
 */
export function pageAddress(text: string, base?: string): string | null {
  if (text.length > MAX_URL || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  url.pathname = plainEscapes(url.pathname);
  url.search = plainEscapes(url.search);
  return url.href.length > MAX_URL ? null : url.href;
}

/** Throws SourceFailed `address_invalid`. */
export function namedAddress(text: string): string {
  const address = pageAddress(text.trim());
  if (address !== null) return address;
  throw new SourceFailed('address_invalid', `${shown(text)} is not a web address. Use one that starts with http:// or https://.`);
}

/** Decodes letters, digits and `-_~`, which mean the same escaped. A dot stays escaped, because `%2e%2e` could become a parent directory. */
function plainEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const sign = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9_~-]/.test(sign) ? sign : escape.toUpperCase();
  });
}
