import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { refuse } from '@parlance/decider';
import type { ObjectStoreHealth } from '@parlance/foundation';
import { type ObjectStore, removeAll, type SignedUpload, type UploadGrant } from '@parlance/object-store';

/** The files that a user has uploaded for a bot. */
export interface UploadLocation {
  readonly ownerUserId: string;
  readonly botId: string;
}

const PREFIX = 'knowledge';
const AT_ONCE = 1_000;

/** The ID of a file in storage keys and events. It is derived from the name, so uploading the same name replaces the file. */
export function fileIdOf(botId: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([botId, name]))
    .digest('hex')
    .slice(0, 40);
}

/** The beginning of the keys of a bot's files. */
export const prefixOf = ({ ownerUserId, botId }: UploadLocation) => `${PREFIX}/${ownerUserId}/${botId}/`;
const keyOf = (location: UploadLocation, name: string) => prefixOf(location) + fileIdOf(location.botId, name);

/** The uploaded files of bots, under keys without names. Without an object store there are no files. */
export class FileStore {
  constructor(
    private readonly objects: ObjectStore | null,
    private readonly maxBytes: number,
    private readonly health: Pick<ObjectStoreHealth, 'check'> | null,
  ) {}

  /** Throws the refusal `object_store_not_configured` (unavailable). */
  require(): ObjectStore {
    if (this.objects) return this.objects;
    throw refuse(
      'unavailable',
      'object_store_not_configured',
      'This installation cannot store files. An administrator has to configure objectStore.',
    );
  }

  /** For requests that need the store. Throws as `require` does, and the refusal `object_store_unavailable` (unavailable). */
  async requireAvailable(): Promise<void> {
    this.require();
    try {
      await this.health?.check();
    } catch (error) {
      const detail = 'The object store for files does not answer, and nothing was changed. Try again in a moment.';
      throw Object.assign(refuse('unavailable', 'object_store_unavailable', detail, { retry_after: 5 }), { cause: error });
    }
  }

  get isConfigured(): boolean {
    return this.objects !== null;
  }

  async put(location: UploadLocation, name: string, content: Uint8Array | Readable, contentType: string): Promise<void> {
    await this.require().put(keyOf(location, name), content, { contentType });
  }

  upload(location: UploadLocation, name: string, grant: Omit<UploadGrant, 'maxBytes'>): Promise<SignedUpload> {
    return this.require().signedUpload(keyOf(location, name), { ...grant, maxBytes: this.maxBytes });
  }

  /** Null if the file was not uploaded. */
  async open(location: UploadLocation, name: string) {
    return this.require().get(keyOf(location, name));
  }

  /** Copies a file, replacing one with the same name. Resolves with false if there is nothing to copy. */
  async copy(from: UploadLocation, to: UploadLocation, name: string): Promise<boolean> {
    const object = await this.open(from, name);
    if (!object) return false;
    const { body, contentType, size } = object;
    await this.require().put(keyOf(to, name), body, { contentType, size });
    return true;
  }

  async stat(location: UploadLocation, name: string) {
    return this.require().stat(keyOf(location, name));
  }

  /** S3 cannot limit the size of an upload, so a file is checked when it is read. */
  isTooLarge(size: number): boolean {
    return size > this.maxBytes;
  }

  get mostMebibytes(): number {
    return Math.floor(this.maxBytes / 1024 / 1024);
  }

  async remove(location: UploadLocation, name: string): Promise<void> {
    await this.require().remove(keyOf(location, name));
  }

  async count(location: UploadLocation): Promise<number> {
    let files = 0;
    for await (const _ of this.files(prefixOf(location))) files++;
    return files;
  }

  async removeAll(location: UploadLocation): Promise<void> {
    if (this.objects) await removeAll(this.objects, prefixOf(location));
  }

  /** Removes the files that are not in `used` and were uploaded before a time. `left` is the number of the remaining files. */
  async removeUnused(location: UploadLocation, used: ReadonlySet<string>, before: Date): Promise<{ removed: number; left: number }> {
    const prefix = prefixOf(location);
    let [removed, left] = [0, 0];
    for await (const { key, modified } of this.files(prefix)) {
      if (used.has(key.slice(prefix.length)) || modified >= before) left++;
      else {
        await this.require().remove(key);
        removed++;
      }
    }
    return { removed, left };
  }

  /** The bots for which the user has uploaded files. */
  async botsOf(ownerUserId: string): Promise<readonly string[]> {
    const prefix = `${PREFIX}/${ownerUserId}/`;
    const bots = new Set<string>();
    for await (const { key } of this.files(prefix)) bots.add(key.slice(prefix.length, key.lastIndexOf('/')));
    return [...bots];
  }

  private async *files(prefix: string) {
    if (!this.objects) return;
    for (let after: string | undefined; ;) {
      const page: Awaited<ReturnType<ObjectStore['list']>> = await this.objects.list(prefix, { limit: AT_ONCE, ...(after && { after }) });
      yield* page;
      if (page.length < AT_ONCE) return;
      after = page.at(-1)!.key;
    }
  }
}
