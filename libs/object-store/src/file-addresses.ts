import { createHmac, timingSafeEqual } from 'node:crypto';
import { isKey } from './rules.ts';

/** The permission in a signed address. All of it is signed, and none of it is secret. */
export interface Grant {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Epoch seconds. */
  readonly expires: number;
  readonly contentType?: string;
  readonly maxBytes?: number;
  readonly fileName?: string;
}

export const FILES_PATH = '/files/';
const PARAMETERS: ReadonlySet<string> = new Set(['expires', 'type', 'max', 'name', 'signature']);

export function addressOf(baseUrl: string, secret: Uint8Array, grant: Grant): string {
  const query = new URLSearchParams({ expires: String(grant.expires) });
  if (grant.contentType !== undefined) query.set('type', grant.contentType);
  if (grant.maxBytes !== undefined) query.set('max', String(grant.maxBytes));
  if (grant.fileName !== undefined) query.set('name', grant.fileName);
  query.set('signature', signatureOf(secret, grant).toString('base64url'));
  return `${baseUrl.replace(/\/+$/, '')}${FILES_PATH}${grant.key}?${query}`;
}

/** The grant that an address carries, or null when we never signed it. The path is taken as it came: keys need no encoding, so none is decoded. */
export function grantOf(secret: Uint8Array, method: string, path: string, query: URLSearchParams): Grant | null {
  if (!path.startsWith(FILES_PATH) || (method !== 'GET' && method !== 'PUT')) return null;
  // A parameter that is unknown or occurs twice is not covered by the signature.
  const names = [...query.keys()];
  if (new Set(names).size < names.length || !names.every((name) => PARAMETERS.has(name))) return null;
  // Nothing that is no key is ever looked for, not even by an address that we signed by mistake.
  if (!isKey(path.slice(FILES_PATH.length))) return null;
  const [contentType, max, fileName] = [query.get('type'), query.get('max'), query.get('name')];
  const grant: Grant = {
    method,
    key: path.slice(FILES_PATH.length),
    expires: Number(query.get('expires')),
    ...(contentType !== null && { contentType }),
    ...(max !== null && { maxBytes: Number(max) }),
    ...(fileName !== null && { fileName }),
  };
  const given = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(secret, grant);
  return given.length === expected.length && timingSafeEqual(given, expected) ? grant : null;
}

/** Over a list in JSON, so that no field's end can pass for the next one's beginning. */
function signatureOf(secret: Uint8Array, { method, key, expires, contentType, maxBytes, fileName }: Grant): Buffer {
  const text = JSON.stringify(['file-1', method, key, expires, contentType ?? null, maxBytes ?? null, fileName ?? null]);
  return createHmac('sha256', secret).update(text).digest();
}
