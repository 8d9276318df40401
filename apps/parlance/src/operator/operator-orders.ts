import type { IncomingMessage } from 'node:http';
import type { RebuildOrder } from '../replay/rebuild.ts';
import { type BackupRequest, REBUILDS } from './operator-socket.ts';

export type OperatorOrder =
  | { readonly type: 'look' }
  | ({ readonly type: 'backup' } & BackupRequest)
  | ({ readonly type: 'rebuild' } & RebuildOrder);

/** The maximum size of an order, which has two short texts. */
const MOST_BYTES = 16 * 1024;

/** Null for a request that is not an order. Rejects if the client disconnects or sends too much; its connection is then closed. */
export async function orderIn(request: IncomingMessage): Promise<OperatorOrder | null> {
  const body = await bodyOf(request);
  if (request.method === 'GET') return { type: 'look' };
  if (request.method !== 'POST' || body === null) return null;
  if (request.url === REBUILDS) return rebuildIn(body);
  return request.url === '/' ? backupIn(body) : null;
}

function backupIn({ directory, withMasterKey, acceptMissing = false }: Fields): OperatorOrder | null {
  if (typeof directory !== 'string' || directory === '' || typeof withMasterKey !== 'boolean') return null;
  if (typeof acceptMissing !== 'boolean') return null;
  return { type: 'backup', directory, withMasterKey, acceptMissing };
}

function rebuildIn({ service, projection }: Fields): OperatorOrder | null {
  if (!isName(service) || !isName(projection)) return null;
  return { type: 'rebuild', service, projection };
}

type Fields = Readonly<Record<string, unknown>>;

const isName = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

/** Null if the body is not a JSON object. */
async function bodyOf(request: IncomingMessage): Promise<Fields | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('The order is too long.');
    parts.push(part);
  }
  try {
    const value = JSON.parse(Buffer.concat(parts).toString()) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}
