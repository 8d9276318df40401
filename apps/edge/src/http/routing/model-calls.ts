import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';
import { PERSONAL_TOKEN_PREFIX, timesIn } from '@parlance/http';

const PREFIX = '/v1/';

/** Whether a path belongs to the calls of models by programs. Its names and errors are those of the providers. */
export const isCallOfModel = (path: string): boolean => path.startsWith(PREFIX);

/**
 * Anthropic's clients send a token as `x-api-key`. It then counts as a bearer token. A request with both headers is decided by its bearer token,
 * and a repeated header is left alone, as other ambiguous credentials are.
 */
export function readKeyAsToken(raw: IncomingMessage, path: string): void {
  const { headers, rawHeaders } = raw;
  const key = headers['x-api-key'];
  if (headers.authorization !== undefined || typeof key !== 'string' || !isCallOfModel(path)) return;
  if (key.startsWith(PERSONAL_TOKEN_PREFIX) && timesIn(rawHeaders, 'x-api-key') === 1) headers.authorization = `Bearer ${key}`;
}

/** Equal for a call and its repeats, which the replica of the first call knows. */
export const placeOf = ({ headers }: IncomingMessage, callerId: string): number => crc32(`${callerId} ${headers['content-length']}`);
