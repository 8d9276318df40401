import type { IncomingMessage } from 'node:http';
import { AT_ONCE, IN_ONE_TURN, parseJson, replaceBody } from '@parlance/http';
import { turns } from '@parlance/event-loop';
import { hasCapitalNames, toSnakeCase } from './casing.ts';
import { isJson, type Operation } from '../routing/operation.ts';
import { namesInSnakeCase } from './renaming.ts';
import type { Shape } from '../routing/schema-shapes.ts';

/** A parameter in both cases becomes a repeated parameter. Services refuse that. */
export function queryInSnakeCase(req: IncomingMessage, { query: { snake } }: Operation): void {
  const url = req.url ?? '';
  const start = url.indexOf('?');
  if (start < 0 || snake.size === 0) return;
  const pairs = url.slice(start + 1).split('&');
  const renamed = pairs.map((pair) => {
    const name = pair.split('=', 1)[0] as string;
    return `${snake.get(name) ?? name}${pair.slice(name.length)}`;
  });
  req.url = `${url.slice(0, start)}?${renamed.join('&')}`;
}

/**
 * Changes the names in a request's JSON body to snake_case, and returns the resulting body. A body without camelCase is not changed: that
 * check takes 4 to 5 µs of CPU (measured) for a body of 1 KB with 20 names. A large body is never parsed here: its names are replaced in
 * its bytes, in slices. Rejects with the refusal `malformed_body` (invalid) for an object that has a name both ways.
 */
export async function bodyInSnakeCase(req: IncomingMessage, bytes: Buffer, { body }: Operation): Promise<Buffer> {
  if (!body || !isJson(req.headers['content-type'])) return bytes;
  if (bytes.length > AT_ONCE) await turns.next();
  const renamed = bytes.length > IN_ONE_TURN ? await namesInSnakeCase(bytes, body) : renamedAtOnce(bytes, body);
  if (renamed !== bytes) replaceBody(req, renamed);
  return renamed;
}

function renamedAtOnce(bytes: Buffer, shape: Shape): Buffer {
  if (!hasCapitalNames(bytes)) return bytes;
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch {
    // The service refuses it, after checking the caller's rights.
    return bytes;
  }
  const renamed = toSnakeCase(value, shape);
  return renamed === value ? bytes : Buffer.from(JSON.stringify(renamed));
}
