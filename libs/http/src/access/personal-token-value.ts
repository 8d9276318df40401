import { checkedSecret } from './checked-secret.ts';

const personalTokens = checkedSecret('pat_');

/** The beginning of all personal access tokens. */
export const PERSONAL_TOKEN_PREFIX = personalTokens.prefix;

/** Makes the value of a personal access token. */
export const mintPersonalToken = (tokenId: string) => personalTokens.mint(tokenId);

/** The ID in a value with the right form and checksum, and the hash to compare; null for any other text. */
export function readPersonalToken(value: string): { readonly tokenId: string; readonly hash: string } | null {
  const read = personalTokens.read(value);
  return read && { tokenId: read.id, hash: read.hash };
}
