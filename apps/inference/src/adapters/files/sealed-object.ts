import { Readable } from 'node:stream';
import { Refusal, refuse } from '@parlance/decider';
import { DamagedObject, type ObjectStore } from '@parlance/object-store';
import { type FileKey, sealedSize, Tampered } from '@parlance/privacy';

/** Sealed files have no type of their own. It is in the event. */
const SEALED_TYPE = 'application/octet-stream';

/** Throws the refusal `object_store_not_configured` (unavailable). */
export function requireStore(objects: ObjectStore | null): ObjectStore {
  if (objects) return objects;
  throw refuse(
    'unavailable',
    'object_store_not_configured',
    'This installation cannot store files. An administrator has to configure objectStore.',
  );
}

/** Reports failures of the store as `object_store_unavailable`. A damaged file is not a failure of the store. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal || error instanceof Tampered) throw error;
    if (error instanceof DamagedObject) throw new Tampered('a stored file');
    const detail = 'The file store does not answer. Try again in a moment.';
    throw Object.assign(refuse('unavailable', 'object_store_unavailable', detail, { retry_after: 5 }), { cause: error });
  }
}

export async function putSealed(store: ObjectStore, name: string, key: FileKey, bytes: Uint8Array): Promise<void> {
  const body = Readable.from(key.seal(name, bytes), { objectMode: false });
  await store.put(name, body, { contentType: SEALED_TYPE, size: sealedSize(bytes.byteLength) });
}

/** As `putSealed`, for bytes that arrive piece by piece. Resolves with their number. */
export async function putSealedStream(store: ObjectStore, name: string, key: FileKey, plain: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  async function* counted() {
    for await (const chunk of plain) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  await store.put(name, Readable.from(key.sealStream(name, counted()), { objectMode: false }), { contentType: SEALED_TYPE });
  return bytes;
}

/**
 * The opened bytes of a sealed object. The caller must read them to their end or destroy them. Null if there is no such object. Rejects with
 * `Tampered` for a damaged file, also if only its beginning has been read.
 */
export async function openSealed(store: ObjectStore, name: string, key: FileKey): Promise<Readable | null> {
  const object = await orUnavailable(() => store.get(name));
  if (!object) return null;
  const opened = key.open(name, object.body);
  try {
    // Read at once, so that a damaged file is refused before an answer begins.
    const first = await orUnavailable(() => opened.next());
    const body = Readable.from(startingWith(first, opened), { objectMode: false });
    return body.once('close', () => object.body.destroy());
  } catch (error) {
    object.body.destroy();
    throw error;
  }
}

async function* startingWith(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
