import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { refuse } from '@parlance/decider';
import type { DownloadGrant, ObjectStore, OpenObject, SignedDownload } from '@parlance/object-store';
import { foldersOf, isDay, type Period } from '../../domain/export-period.ts';

/** Hours and days have separate folders, so that a program that reads the hours does not read rows twice. */
const HOURS = 'conversations';
const DAYS = 'conversations-by-day';
const NAME = 'conversations.parquet';
const PARQUET = 'application/vnd.apache.parquet';

/** The key of a period's file. */
export const keyOfExport = (period: Period): string => `${isDay(period) ? DAYS : HOURS}/${foldersOf(period)}/${NAME}`;

/** The files of exports in the object store. Each period has one key, so a rewritten file replaces the earlier one. */
export class ExportFiles {
  constructor(private readonly objects: ObjectStore | null) {}

  /** False for an installation that cannot store files, and so writes no exports. */
  get isThere(): boolean {
    return this.objects !== null;
  }

  keyOf(period: Period): string {
    return keyOfExport(period);
  }

  /** Stores a local file as the export of a period, and resolves with its size. */
  async put(period: Period, file: string): Promise<number> {
    const { size } = await stat(file);
    await this.store().put(this.keyOf(period), createReadStream(file), { contentType: PARQUET, size });
    return size;
  }

  /** The file of an export, or null. The caller must read the body to its end, or destroy it. */
  get(key: string): Promise<OpenObject | null> {
    return this.store().get(key);
  }

  remove(period: Period): Promise<void> {
    return this.store().remove(this.keyOf(period));
  }

  download(period: Period, grant: Omit<DownloadGrant, 'fileName'>): Promise<SignedDownload> {
    const fileName = `conversations-${period}.parquet`;
    return this.store().signedDownload(this.keyOf(period), { ...grant, fileName });
  }

  /** Throws the refusal `object_store_not_configured` (unavailable). */
  private store(): ObjectStore {
    if (this.objects) return this.objects;
    throw refuse(
      'unavailable',
      'object_store_not_configured',
      'This installation cannot store files. An administrator has to configure objectStore.',
    );
  }
}
