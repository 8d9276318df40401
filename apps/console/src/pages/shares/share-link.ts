import { BASE_PATH } from '../../app/addresses.ts';

const IN_API = '/shared/';
const TOKEN = /^[\w-]{20,200}$/;

/**
 * The address of the page for people. The API returns its own address, which answers with JSON. The token follows #, so no server receives
 * it.
 */
export function linkOf(url: string): string {
  const at = url.lastIndexOf(IN_API);
  return `${url.slice(0, at)}${BASE_PATH}/shared#${url.slice(at + IN_API.length)}`;
}

export const isToken = (text: string): boolean => TOKEN.test(text);

let kept = '';

/** The token read last, kept for the return from the sign-in page, whose address must not contain it. */
export function keptToken(hash: string): string {
  if (isToken(hash)) kept = hash;
  return kept;
}

const DAY_SECONDS = 86_400;

/** When a link created now expires; undefined if it does not expire. */
export const endOf = (expiry: '1' | '7' | '30' | 'never', now = Date.now()): number | undefined =>
  expiry === 'never' ? undefined : Math.floor(now / 1_000) + Number(expiry) * DAY_SECONDS;
