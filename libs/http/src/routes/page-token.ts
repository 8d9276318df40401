import { timingSafeEqual } from 'node:crypto';
import { refuse } from '@parlance/decider';
import { Hmac } from '../access/hmac.ts';

const MAC_BYTES = 16;
const LONGEST = 4096;
const FORM = /^[\w-]+$/;

/**
 * Signs and reads the `next_token` of lists: the cursor, signed together with its query. The query must contain everything that the
 * pages depend on: the filters, the path, and the caller if pages differ by caller. A token is not secret, but it cannot be changed.
 */
export class PageTokens {
  private readonly hmac: Hmac;

  constructor(key: Uint8Array) {
    this.hmac = new Hmac(key);
  }

  seal(query: object, cursor: unknown): string {
    const payload = Buffer.from(JSON.stringify(cursor));
    return Buffer.concat([this.mac(query, payload), payload]).toString('base64url');
  }

  /** Throws the refusal `invalid_next_token` (invalid) if the token was changed, or made for another query or with another key. */
  open<Cursor>(query: object, token: string): Cursor {
    if (token.length <= LONGEST && FORM.test(token)) {
      const bytes = Buffer.from(token, 'base64url');
      const payload = bytes.subarray(MAC_BYTES);
      const mac = this.mac(query, payload);
      // The last character of base64 has unused bits, so the text is compared as well.
      if (bytes.length > MAC_BYTES && bytes.toString('base64url') === token && timingSafeEqual(mac, bytes.subarray(0, MAC_BYTES))) {
        return JSON.parse(payload.toString()) as Cursor;
      }
    }
    throw refuse(
      'invalid',
      'invalid_next_token',
      'The parameter next_token does not belong to this query. Start again from the first page.',
    );
  }

  private mac(query: object, payload: Uint8Array): Buffer {
    return this.hmac.digest(Buffer.concat([Buffer.from(`${canonicalJson(query)}\0`), payload])).subarray(0, MAC_BYTES);
  }
}

/** JSON with sorted keys, so that equal objects have equal texts. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
