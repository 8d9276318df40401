import type { Readable } from 'node:stream';
import { refuse } from '@parlance/decider';
import { type DownloadGrant, type ListedObject, type ObjectStore, removeAll } from '@parlance/object-store';

/** The file of one attempt. Each attempt has its own key, so that two workers never write the same file. */
export interface OwnExportFile {
  readonly userId: string;
  readonly exportId: string;
  readonly claim: string;
}

export type StoredExport = OwnExportFile & Pick<ListedObject, 'key' | 'modified'>;

const PREFIX = 'own-exports/';
const ZIP = 'application/zip';
/** Objects in one listing of the store. */
const LISTED = 500;

const folderOf = (userId: string) => `${PREFIX}${userId}/`;
const keyOf = ({ userId, exportId, claim }: OwnExportFile) => `${folderOf(userId)}${exportId}.${claim}.zip`;

/** The archives of users' own data in the object store. They are not sealed, because the store itself serves them at signed URLs. */
export class OwnExportFiles {
  constructor(private readonly objects: ObjectStore | null) {}

  /** Throws the refusal `object_store_not_configured` (unavailable). */
  requireStore(): ObjectStore {
    if (this.objects) return this.objects;
    throw refuse(
      'unavailable',
      'object_store_not_configured',
      'This installation cannot store files. An administrator has to configure objectStore.',
    );
  }

  /** Stores the whole file or nothing. Resolves with its size. */
  async put(place: OwnExportFile, archive: Readable): Promise<number> {
    const store = this.requireStore();
    await store.put(keyOf(place), archive, { contentType: ZIP });
    const stored = await store.stat(keyOf(place));
    if (!stored) throw new Error('an archive was removed as soon as it was stored');
    return stored.size;
  }

  async address(place: OwnExportFile, grant: DownloadGrant): Promise<string> {
    return (await this.requireStore().signedDownload(keyOf(place), grant)).url;
  }

  async remove(place: OwnExportFile): Promise<void> {
    await this.objects?.remove(keyOf(place));
  }

  /** Removes the files of all attempts of one export. */
  async removeAllOf(userId: string, exportId: string): Promise<void> {
    if (this.objects) await removeAll(this.objects, `${folderOf(userId)}${exportId}.`);
  }

  /** Removes all files of a user. */
  async removeAll(userId: string): Promise<void> {
    if (this.objects) await removeAll(this.objects, folderOf(userId));
  }

  /** Lists some files after a key, in the order of their keys. Empty at the end. */
  async stored(after: string | null): Promise<readonly StoredExport[]> {
    const page = (await this.objects?.list(PREFIX, { limit: LISTED, ...(after !== null && { after }) })) ?? [];
    return page.map(({ key, modified }) => {
      const [, userId = '', name = ''] = key.split('/');
      const [exportId = '', claim = ''] = name.split('.');
      return { key, modified, userId, exportId, claim };
    });
  }
}
