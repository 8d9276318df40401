import { hash } from 'node:crypto';
import { canonicalJson, parseJson } from '@parlance/service-kit';

/** Under which an `Idempotency-Key` is remembered: nobody meets another's, nor one's own of another path. */
export function keyFingerprint(
  asker: object,
  { method, path, params }: { readonly method: string; readonly path: string; readonly params: object },
  key: string,
): string {
  return hash('sha256', JSON.stringify([asker, method, path, canonicalJson(params), key]));
}

/** Equal for requests that ask for the same: the order of names and the white space of JSON ask for nothing. */
export function requestFingerprint(url: string, body: Buffer): string {
  const query = url.split('?', 2)[1] ?? '';
  return hash('sha256', Buffer.concat([Buffer.from(`${query}\n`), canonicalBytes(body)]));
}

function canonicalBytes(body: Buffer): Buffer {
  try {
    return Buffer.from(canonicalJson(parseJson(body)));
  } catch {
    // No JSON, or none that a service takes.
    return body;
  }
}
