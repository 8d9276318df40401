import type { IncomingMessage } from 'node:http';
import { parseJson } from '@parlance/service-kit';
import { hasCapitalNames, toSnakeCase } from './casing.ts';
import { isJson, type Operation } from './operation.ts';
import { bodyOf, hasBody, replaceBody } from './request-body.ts';
import type { Shape } from './schema-shapes.ts';

/**
 * Brings the names of a request's query and JSON body to the case that services know. What has no camelCase in it is left
 * alone, and costs a look: measured, 4 to 5 µs of CPU for a body of 1 KB with 20 names, half of it for the turn in which the body comes.
 * Throws and rejects with the refusal `malformed_body` (invalid) for an object that has a name both ways.
 */
export async function requestInSnakeCase(req: IncomingMessage, { query, body, bodyLimit }: Operation): Promise<void> {
  req.url = queryInSnakeCase(req.url ?? '', query);
  if (!body || !hasBody(req) || !isJson(req.headers['content-type'])) return;
  bodyInSnakeCase(req, await bodyOf(req, bodyLimit), body);
}

/** A parameter that is there both ways is then there twice, which services refuse by themselves. */
function queryInSnakeCase(url: string, { snake }: Shape): string {
  const start = url.indexOf('?');
  if (start < 0 || snake.size === 0) return url;
  const pairs = url.slice(start + 1).split('&');
  const renamed = pairs.map((pair) => {
    const name = pair.split('=', 1)[0] as string;
    return `${snake.get(name) ?? name}${pair.slice(name.length)}`;
  });
  return `${url.slice(0, start)}?${renamed.join('&')}`;
}

function bodyInSnakeCase(req: IncomingMessage, bytes: Buffer | null, shape: Shape): void {
  if (!bytes || !hasCapitalNames(bytes)) return;
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch {
    // The service refuses it, in its own order: first who may not ask at all.
    return;
  }
  const renamed = toSnakeCase(value, shape);
  if (renamed !== value) replaceBody(req, Buffer.from(JSON.stringify(renamed)));
}
