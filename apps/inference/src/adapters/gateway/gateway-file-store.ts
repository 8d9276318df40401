import type { Readable } from 'node:stream';
import { type ListedObject, type ObjectStore, removeAll } from '@parlance/object-store';
import { FileKey } from '@parlance/privacy';
import { openSealed, orUnavailable, putSealed, putSealedStream, requireStore } from '../files/sealed-object.ts';

export interface StoredGatewayFile extends Pick<ListedObject, 'key' | 'modified'> {
  readonly userId: string;
  readonly fileId: string;
}

const PREFIX = 'gateway-files/';
/** Objects in one listing of the store. */
const LISTED = 500;

const folderOf = (userId: string) => `${PREFIX}${userId}/`;
export const gatewayFileKey = (userId: string, fileId: string) => folderOf(userId) + fileId;

/** The sealed files that programs store for calls of models. Without an object store there are no files. */
export class GatewayFileStore {
  constructor(private readonly objects: ObjectStore | null) {}

  /** Throws the refusal `object_store_not_configured` (unavailable). */
  requireStore(): ObjectStore {
    return requireStore(this.objects);
  }

  /** Rejects with `object_store_unavailable` (unavailable) when the store fails. */
  async put(userId: string, fileId: string, key: FileKey, bytes: Uint8Array): Promise<void> {
    const store = this.requireStore();
    await orUnavailable(() => putSealed(store, gatewayFileKey(userId, fileId), key, bytes));
  }

  /** As `put`, for bytes that arrive piece by piece. Resolves with their number. */
  async putStream(userId: string, fileId: string, key: FileKey, plain: AsyncIterable<Uint8Array>): Promise<number> {
    const store = this.requireStore();
    return orUnavailable(() => putSealedStream(store, gatewayFileKey(userId, fileId), key, plain));
  }

  /** As `openSealed`. */
  open(userId: string, fileId: string, key: string): Promise<Readable | null> {
    return openSealed(this.requireStore(), gatewayFileKey(userId, fileId), FileKey.of(key));
  }

  async remove(userId: string, fileId: string): Promise<void> {
    await this.objects?.remove(gatewayFileKey(userId, fileId));
  }

  async removeAll(userId: string): Promise<void> {
    if (this.objects) await removeAll(this.objects, folderOf(userId));
  }

  /** Lists some files after a key, in the order of their keys. Empty at the end. */
  async stored(after: string | null): Promise<readonly StoredGatewayFile[]> {
    const page = (await this.objects?.list(PREFIX, { limit: LISTED, ...(after !== null && { after }) })) ?? [];
    return page.map(({ key, modified }) => {
      const [, userId = '', fileId = ''] = key.split('/');
      return { key, modified, userId, fileId };
    });
  }
}
