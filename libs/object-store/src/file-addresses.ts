import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DownloadGrant, SignedDownload } from './object-store.ts';
import { assertKey, isKey, lifetimeSeconds } from './rules.ts';

/** The permission in a signed address. All its fields are signed, and none of them is secret. */
export interface Grant {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Epoch seconds. */
  readonly expires: number;
  readonly contentType?: string;
  readonly maxBytes?: number;
  readonly fileName?: string;
  /** The session or token that requested the address. The address is refused after it has ended. */
  readonly issuedTo?: string;
}

/** The secret that signs addresses, and the base URL at which the edge serves them. */
export interface AddressSigner {
  readonly baseUrl: string;
  readonly secret: Uint8Array;
  readonly now?: () => number;
}

export const FILES_PATH = '/files/';
const PARAMETERS: ReadonlySet<string> = new Set(['expires', 'type', 'max', 'name', 'issued_to', 'signature']);

export function addressOf(baseUrl: string, secret: Uint8Array, grant: Grant): string {
  const query = new URLSearchParams({ expires: String(grant.expires) });
  if (grant.contentType !== undefined) query.set('type', grant.contentType);
  if (grant.maxBytes !== undefined) query.set('max', String(grant.maxBytes));
  if (grant.fileName !== undefined) query.set('name', grant.fileName);
  if (grant.issuedTo !== undefined) query.set('issued_to', grant.issuedTo);
  query.set('signature', signatureOf(secret, grant).toString('base64url'));
  return `${baseUrl.replace(/\/+$/, '')}${FILES_PATH}${grant.key}?${query}`;
}

/** The fields that all addresses of a key have. Throws RangeError for a lifetime of more than a week. */
export function grantFor(
  { now = Date.now }: AddressSigner,
  key: string,
  { expiresAt, issuedTo }: Pick<DownloadGrant, 'expiresAt' | 'issuedTo'>,
): Pick<Grant, 'key' | 'expires' | 'issuedTo'> {
  assertKey(key);
  const at = now();
  return { key, expires: Math.floor(at / 1000) + lifetimeSeconds(expiresAt, at), ...(issuedTo !== null && { issuedTo }) };
}

export function downloadAddress(signer: AddressSigner, key: string, grant: DownloadGrant): SignedDownload {
  const fileName = grant.fileName?.toWellFormed();
  const signed = { method: 'GET', ...grantFor(signer, key, grant), ...(fileName !== undefined && { fileName }) } as const;
  return { url: addressOf(signer.baseUrl, signer.secret, signed), method: 'GET' };
}

/** The grant in an address, or null if the signature is not valid. The path is not decoded, because keys need no encoding. */
export function grantOf(secret: Uint8Array, method: string, path: string, query: URLSearchParams): Grant | null {
  if (!path.startsWith(FILES_PATH) || (method !== 'GET' && method !== 'PUT')) return null;
  // A parameter that is unknown or occurs twice is not covered by the signature.
  const names = [...query.keys()];
  if (new Set(names).size < names.length || !names.every((name) => PARAMETERS.has(name))) return null;
  // A path that is not a key is never looked up, even if it was signed by mistake.
  if (!isKey(path.slice(FILES_PATH.length))) return null;
  const [contentType, max, fileName, issuedTo] = ['type', 'max', 'name', 'issued_to'].map((name) => query.get(name) ?? undefined);
  const grant: Grant = {
    method,
    key: path.slice(FILES_PATH.length),
    expires: Number(query.get('expires')),
    ...(contentType !== undefined && { contentType }),
    ...(max !== undefined && { maxBytes: Number(max) }),
    ...(fileName !== undefined && { fileName }),
    ...(issuedTo !== undefined && { issuedTo }),
  };
  const receivedSignature = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(secret, grant);
  return receivedSignature.length === expected.length && timingSafeEqual(receivedSignature, expected) ? grant : null;
}

/** Signs a JSON list, so that the boundaries between fields are unambiguous. */
function signatureOf(secret: Uint8Array, { method, key, expires, contentType, maxBytes, fileName, issuedTo }: Grant): Buffer {
  const text = JSON.stringify(['file-2', method, key, expires, ...[contentType, maxBytes, fileName, issuedTo].map((part) => part ?? null)]);
  return createHmac('sha256', secret).update(text).digest();
}
