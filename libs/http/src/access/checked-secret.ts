import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 26;
/** 5 bits each: 260 random bits. */
const SECRET_LENGTH = 52;
/** 5 bits each, for 32 bits. */
const CHECKSUM_LENGTH = 7;

/** A new secret. */
export interface CheckedSecret {
  readonly prefix: string;
  mint(id: string): { readonly value: string; readonly hash: string };
  /** The ID in a value with the right form and checksum, and the hash to compare; null for any other text. */
  read(value: string): { readonly id: string; readonly hash: string } | null;
}

/**
 * Secrets of one kind: a prefix, the ID of the secret, 260 random bits and a checksum of the three. The checksum reveals typing errors, and
 * lets source code scanners recognise a secret without a lookup. A plain hash of so many random bits cannot be reversed, so it may be
 * stored in the log.
 */
export function checkedSecret(prefix: string): CheckedSecret {
  const form = new RegExp(`^${prefix}([0-7][${BASE_32}]{${ID_LENGTH - 1}})[${BASE_32}]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
  return {
    prefix,
    mint(id) {
      const secret = Array.from(randomBytes(SECRET_LENGTH), (byte) => BASE_32[byte % BASE_32.length]).join('');
      const unchecked = `${prefix}${id.toLowerCase()}${secret}`;
      const value = `${unchecked}${checksumOf(unchecked)}`;
      return { value, hash: hashOf(value) };
    },
    read(value) {
      const [, id = ''] = form.exec(value) ?? [];
      if (id === '' || checksumOf(value.slice(0, -CHECKSUM_LENGTH)) !== value.slice(-CHECKSUM_LENGTH)) return null;
      return { id: id.toUpperCase(), hash: hashOf(value) };
    },
  };
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = `${BASE_32[rest % BASE_32.length]}${digits}`;
    rest = Math.floor(rest / BASE_32.length);
  }
  return digits;
}
