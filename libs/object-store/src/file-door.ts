import { type DoorOptions, type FileDoor, type FileDoorAnswer, type FileDoorRequest, openDoor, problem } from './door.ts';
import type { Grant } from './file-addresses.ts';
import type { FileObjectStore } from './file-object-store.ts';
import { TooLarge } from './object-file.ts';
import { BadKey, WrongSize } from './object-store.ts';
import { disposition } from './rules.ts';

export interface FileDoorOptions extends DoorOptions {
  readonly store: FileObjectStore;
}

/** The largest upload to an address without its own limit. S3 has the same limit. */
const MOST_BYTES = 5 * 1024 ** 3;

/** Serves the signed addresses of a file store. Rejects only with errors of the disk. */
export function openFileDoor({ store, ...options }: FileDoorOptions): FileDoor {
  return openDoor(options, (grant, request) => (grant.method === 'PUT' ? upload(store, grant, request) : download(store, grant)));
}

async function upload(
  store: FileObjectStore,
  { key, contentType = '', maxBytes = MOST_BYTES }: Grant,
  request: FileDoorRequest,
): Promise<FileDoorAnswer> {
  if (request.headers['content-type'] !== contentType) {
    return refused(415, 'content_type_differs', `The address is for the content type ${contentType}.`);
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return refused(415, 'content_encoded', 'The body must be sent without a content encoding.');
  }
  const announced = request.headers['content-length'];
  const size = announced === undefined ? undefined : Number(announced);
  const tooLarge = refused(413, 'too_large', `The address accepts at most ${maxBytes} bytes.`);
  if (size !== undefined && size > maxBytes) return tooLarge;
  request.onAccept?.();
  try {
    await store.keep(key, request.body, { contentType, maxBytes, ...(size !== undefined && { size }) });
  } catch (error) {
    if (error instanceof TooLarge) return tooLarge;
    if (error instanceof BadKey)
      return refused(403, 'signature_invalid', 'The address is not valid, or no longer valid. Ask for a new one.');
    // The client disconnected, or sent less than it announced.
    if (error instanceof WrongSize || request.body.errored) return refused(400, 'body_incomplete', 'The body is incomplete.');
    throw error;
  }
  return { status: 200, headers: { 'content-length': '0' }, body: null };
}

async function download(store: FileObjectStore, { key, fileName }: Grant): Promise<FileDoorAnswer> {
  const object = await store.get(key);
  if (!object) return problem(404, 'file_unknown', 'There is no such file.');
  return {
    status: 200,
    headers: {
      'content-type': object.contentType,
      'content-length': String(object.size),
      'content-disposition': disposition(key, fileName),
      etag: object.etag,
      'cache-control': 'private, no-store',
      // Uploads have the same origin as the console, so browsers must not execute them or guess their type.
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: object.body,
  };
}

/** A refusal without reading the body, after which the connection cannot be used for another request. */
function refused(status: number, code: string, detail: string): FileDoorAnswer {
  return problem(status, code, detail, { connection: 'close' });
}
