import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'prl_';
const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 26;
/** 5 bits each: 260 random bits. */
const SECRET_LENGTH = 52;
/** 5 bits each, for 32 bits. */
const CHECKSUM_LENGTH = 7;
const ENDING_LENGTH = 4;

const FORM = new RegExp(`^${PREFIX}([0-7][${BASE_32}]{${ID_LENGTH - 1}})[${BASE_32}]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export interface MintedApiKey {
  readonly value: string;
  readonly hash: string;
  readonly ending: string;
}

/**
 * Makes the value of an API key: a prefix, the ID of the key, a secret and a checksum of the three. The checksum finds typing errors, and lets
 * scanners of source code recognise a key, without a look-up. A plain hash of so many random bits cannot be reversed, so the log may have it.
 */
export function mintApiKey(keyId: string): MintedApiKey {
  const secret = Array.from(randomBytes(SECRET_LENGTH), (byte) => BASE_32[byte % BASE_32.length]).join('');
  const unchecked = `${PREFIX}${keyId.toLowerCase()}${secret}`;
  const value = `${unchecked}${checksumOf(unchecked)}`;
  return { value, hash: hashOf(value), ending: value.slice(-ENDING_LENGTH) };
}

/** The ID in a value with the right form and checksum, and the hash to compare; null for any other text. */
export function readApiKey(value: string): { readonly keyId: string; readonly hash: string } | null {
  const [, id = ''] = FORM.exec(value) ?? [];
  if (id === '' || checksumOf(value.slice(0, -CHECKSUM_LENGTH)) !== value.slice(-CHECKSUM_LENGTH)) return null;
  return { keyId: id.toUpperCase(), hash: hashOf(value) };
}

/** The value as users see it after its creation. */
export const maskedValue = (keyId: string, ending: string): string => `${PREFIX}${keyId.slice(0, ENDING_LENGTH).toLowerCase()}…${ending}`;

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
