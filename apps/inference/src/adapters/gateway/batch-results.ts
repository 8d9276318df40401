import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { newId } from '@parlance/event-store';
import { type ListedObject, type ObjectStore, removeAll } from '@parlance/object-store';
import { type FileKey, Tampered } from '@parlance/privacy';
import { orUnavailable, requireStore } from '../files/sealed-object.ts';

/** Where the results of a batch are. */
export interface BatchRef {
  readonly userId: string;
  readonly batchId: string;
}

/** The result of one request: a line of a file of results. */
export interface LineResult {
  readonly isCompleted: boolean;
  readonly line: Buffer;
}

export type StoredResult = BatchRef & Pick<ListedObject, 'key' | 'modified'>;

const PREFIX = 'gateway-batches/';
const LISTED = 500;
const SEALED_TYPE = 'application/octet-stream';
const [COMPLETED, FAILED] = [1, 0];
const NONCE_BYTES = 26;

const folderOf = ({ userId, batchId }: BatchRef) => `${PREFIX}${userId}/${batchId}/`;
const keyOf = (batch: BatchRef, number: number) => folderOf(batch) + String(number).padStart(8, '0');

/**
 * The sealed results of the requests of batches, each in an object of its own, until the batch has ended. The first stored result of a request counts. It is
 * stored before the charge of its call is recorded, so that a request with a recorded charge is not sent again.
 */
export class BatchResultStore {
  constructor(private readonly objects: ObjectStore | null) {}

  /** Rejects with `object_store_unavailable` (unavailable) when the store fails. */
  async put(batch: BatchRef, number: number, key: FileKey, { isCompleted, line }: LineResult): Promise<void> {
    const store = requireStore(this.objects);
    const plain = Buffer.concat([Buffer.of(isCompleted ? COMPLETED : FAILED), line]);
    // Two workers may seal different results of one request.
    const nonce = newId();
    const sealed = Buffer.concat([Buffer.from(nonce), ...key.seal(nameOf(batch, number, nonce), plain)]);
    await orUnavailable(() => store.put(keyOf(batch, number), sealed, { contentType: SEALED_TYPE, ifAbsent: true }));
  }

  /** Null if the request has no result. Rejects as `put`. */
  async get(batch: BatchRef, number: number, key: FileKey): Promise<LineResult | 'damaged' | null> {
    try {
      return await this.read(batch, number, key);
    } catch (error) {
      if (error instanceof Tampered) return 'damaged';
      throw error;
    }
  }

  async removeAll(batch: BatchRef): Promise<void> {
    if (this.objects) await removeAll(this.objects, folderOf(batch));
  }

  /** Lists some results after a key, in the order of their keys. Empty at the end. */
  async stored(after: string | null): Promise<readonly StoredResult[]> {
    const page = (await this.objects?.list(PREFIX, { limit: LISTED, ...(after !== null && { after }) })) ?? [];
    return page.map(({ key, modified }) => {
      const [, userId = '', batchId = ''] = key.split('/');
      return { key, modified, userId, batchId };
    });
  }

  private async read(batch: BatchRef, number: number, key: FileKey): Promise<LineResult | null> {
    const store = requireStore(this.objects);
    const sealed = await orUnavailable(async () => {
      const object = await store.get(keyOf(batch, number));
      return object && buffer(object.body);
    });
    if (!sealed) return null;
    const nonce = sealed.toString('latin1', 0, NONCE_BYTES);
    const plain = await buffer(Readable.from(key.open(nameOf(batch, number, nonce), Readable.from([sealed.subarray(NONCE_BYTES)]))));
    return { isCompleted: plain[0] === COMPLETED, line: plain.subarray(1) };
  }
}

const nameOf = (batch: BatchRef, number: number, nonce: string) => `${keyOf(batch, number)}.${nonce}`;
