import { checkedSecret } from './checked-secret.ts';

const ENDING_LENGTH = 4;

const apiKeys = checkedSecret('prl_');

export interface MintedApiKey {
  readonly value: string;
  readonly hash: string;
  readonly ending: string;
}

/** Makes the value of an API key. */
export function mintApiKey(keyId: string): MintedApiKey {
  const { value, hash } = apiKeys.mint(keyId);
  return { value, hash, ending: value.slice(-ENDING_LENGTH) };
}

/** The ID in a value with the right form and checksum, and the hash to compare; null for any other text. */
export function readApiKey(value: string): { readonly keyId: string; readonly hash: string } | null {
  const read = apiKeys.read(value);
  return read && { keyId: read.id, hash: read.hash };
}

/** The value as users see it after its creation. */
export const maskedValue = (keyId: string, ending: string): string =>
  `${apiKeys.prefix}${keyId.slice(0, ENDING_LENGTH).toLowerCase()}…${ending}`;
