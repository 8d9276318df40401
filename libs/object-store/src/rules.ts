import { BadContentType, BadKey } from './object-store.ts';

const KEY_LENGTH = 700;
const PART_LENGTH = 200;
const PART = /^[A-Za-z0-9_.=-]+$/;
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\x20-\x7e]*)?$/;
/** The longest lifetime of a signed address in S3. */
const LONGEST_LIFE_MILLIS = 7 * 24 * 3_600_000;

/** A key consists of parts with letters, digits and `_ . = -`, joined by single slashes. No part is `.`, and `..` does not occur. */
export function isKey(text: string): boolean {
  return text.length <= KEY_LENGTH && !text.includes('..') && text.split('/').every(isPart);
}

export function assertKey(key: string): void {
  if (!isKey(key)) throw new BadKey(key);
}

/** A prefix is the beginning of a key. Its last part may be empty or incomplete. */
export function assertPrefix(prefix: string): void {
  const parts = prefix.split('/');
  const last = parts.pop();
  const endsWell = last === '' || last === '.' || isPart(last ?? '');
  if (prefix.length > KEY_LENGTH || prefix.includes('..') || !parts.every(isPart) || !endsWell) throw new BadKey(prefix);
}

function isPart(part: string): boolean {
  return part.length <= PART_LENGTH && PART.test(part) && part !== '.';
}

export function assertContentType(contentType: string): void {
  if (contentType.length > 200 || !CONTENT_TYPE.test(contentType)) throw new BadContentType(contentType);
}

/** The seconds from a moment until an address expires, rounded down so that it is never valid for too long. */
export function lifetimeSeconds(expiresAt: Date, now: number): number {
  const millis = expiresAt.getTime() - now;
  if (!(millis <= LONGEST_LIFE_MILLIS)) throw new RangeError('a signed address is valid for at most a week');
  return Math.floor(millis / 1000);
}

/**
 * Always an attachment, because an uploaded file must not be shown as a page of this origin. It has a plain name for old clients, and an encoded
 * name for all others.
 */
export function disposition(key: string, fileName: string | undefined): string {
  const name = fileName ?? key.slice(key.lastIndexOf('/') + 1);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
