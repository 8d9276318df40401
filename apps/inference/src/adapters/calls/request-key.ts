import { createHash } from 'node:crypto';
import type { CallerBody } from './caller-body.ts';
import { type PassedCall, passedHeaders } from './provider-call.ts';

/** Bytes of a request that is hashed at once. */
const MOST_BYTES = 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/**
 * The same for requests with the same effect at a provider: the order of the top fields and white space between values do not count. The order of
 * other fields does, because models see it. Null for a long request.
 */
export function requestKey(endpoint: string, headers: PassedCall['headers'], body: CallerBody): string | null {
  if (body.length > MOST_BYTES) return null;
  const hash = createHash('sha256').update(JSON.stringify([endpoint, Object.entries(passedHeaders(headers)).sort()]));
  for (const [name, value] of body.fields().sort(([a], [b]) => (a < b ? -1 : 1))) {
    const bytes = compact(value);
    hash.update(`${JSON.stringify(name)}:${bytes.length}:`).update(bytes);
  }
  return hash.digest('base64');
}

/** Without the white space between values. */
function compact(json: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(json.length);
  let length = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (!isText && byte <= SPACE) continue;
    bytes[length++] = byte;
    if (isText && byte === BACKSLASH && at + 1 < json.length) bytes[length++] = json[++at]!;
    else if (byte === QUOTE) isText = !isText;
  }
  return bytes.subarray(0, length);
}
