import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStoreFixture } from './contract.ts';
import type { FileDoor, FileDoorRequest } from '../src/door.ts';
import { type FileObjectStore, openFileDoor, openFileObjectStore } from '../src/files.ts';

/** The only session or token in these tests that has ended. */
export const ENDED = 'session.ended.ann';
const isInForce = async (issuedTo: string) => issuedTo !== ENDED;

export function requestOf(request: IncomingMessage): FileDoorRequest {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  return { method: request.method ?? '', path, query: new URLSearchParams(query), headers: request.headers, body: request, isInForce };
}

/** A door on a server, as the edge mounts it. */
export async function serve(door: FileDoor): Promise<{ server: Server; baseUrl: string }> {
  const server = createServer(async (request, response) => {
    try {
      const { status, headers, body } = await door(requestOf(request));
      response.writeHead(status, headers);
      if (body === null || typeof body === 'string') response.end(body);
      else await pipeline(body, response);
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export interface FileFixture extends ObjectStoreFixture {
  readonly store: FileObjectStore;
  readonly directory: string;
  readonly baseUrl: string;
  readonly secret: Uint8Array;
}

/** A file store with its own HTTP door. A test may replace the door with a broken one. */
export async function fileFixture(makeDoor: typeof openFileDoor = openFileDoor): Promise<FileFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-objects-'));
  const secret = randomBytes(32);
  let door: FileDoor | undefined;
  const { server, baseUrl } = await serve((request) => door!(request));
  const options = { directory: join(directory, 'objects'), baseUrl, secret };
  const store = await openFileObjectStore(options);
  door = makeDoor({ store, secret });
  let moment = 0;
  const anyTime = await openFileObjectStore({ ...options, now: () => moment });
  return {
    store,
    directory: options.directory,
    baseUrl,
    secret,
    boundsUploads: true,
    at(now) {
      moment = now.getTime();
      return anyTime;
    },
    async remove() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}
