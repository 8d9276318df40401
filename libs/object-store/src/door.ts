import type { Readable } from 'node:stream';
import { type Grant, grantOf } from './file-addresses.ts';

export interface FileDoorRequest {
  readonly method: string;
  /** The undecoded path, from `/files/` on. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Headers by lower-case name, as in Node. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  /** Whether the session or token that an address was issued to is still in force. */
  readonly isInForce: (issuedTo: string) => Promise<boolean>;
  /** Called when an upload is accepted, right before its body is read. An upload that is refused earlier is not read. */
  readonly onAccept?: () => void;
}

export interface FileDoorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream to send, a problem as JSON, or nothing. */
  readonly body: Readable | string | null;
}

export type FileDoor = (request: FileDoorRequest) => Promise<FileDoorAnswer>;

export interface DoorOptions {
  readonly secret: Uint8Array;
  readonly now?: () => number;
}

/** A plain function that any server can mount. It serves requests at addresses that were signed with this secret and are in force, and refuses all others. */
export function openDoor(
  { secret, now = Date.now }: DoorOptions,
  answer: (grant: Grant, request: FileDoorRequest) => Promise<FileDoorAnswer>,
): FileDoor {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'PUT') {
      return problem(405, 'method_not_allowed', 'A signed address accepts only GET and PUT.', { allow: 'GET, PUT' });
    }
    const grant = grantOf(secret, request.method, request.path, request.query);
    if (!grant) return problem(403, 'signature_invalid', 'The address was not signed here, or was changed.');
    if (!(grant.expires * 1000 > now())) return problem(403, 'address_expired', 'The address has expired.');
    if (grant.issuedTo !== undefined && !(await request.isInForce(grant.issuedTo))) {
      return problem(403, 'address_revoked', 'The session or access token that asked for this address has ended. Ask for another address.');
    }
    return answer(grant, request);
  };
}

export function problem(status: number, code: string, detail: string, headers: Readonly<Record<string, string>> = {}): FileDoorAnswer {
  const body = JSON.stringify({ type: 'about:blank', title: code.replaceAll('_', ' '), status, code, detail, message: detail });
  return { status, headers: { 'content-type': 'application/problem+json', ...headers }, body };
}
