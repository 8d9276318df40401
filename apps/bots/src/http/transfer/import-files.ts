import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { type UploadLocation, FileStore } from '../../adapters/file-store.ts';
import type { ArchiveReader } from '../../adapters/transfer/archive-reader.ts';
import { Hashing, sha256Of } from '../../adapters/transfer/hashing.ts';
import { UploadNotes } from '../../commands/upload-notes.ts';
import { FileListing, MOST_BYTES, MOST_FILES } from '../../workflows/transfer/file-listing.ts';
import type { LeftOut, LeftOutReason } from './answers.ts';
import type { FileEntry } from './bot-file.ts';
import { leftOut } from './import-fitting.ts';

export interface ImportedFiles {
  readonly names: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Names of files that the bot gets, but whose SHA-256 was not compared. */
  readonly unchecked: readonly string[];
}

const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** The files of an imported bot: from an archive, or uploaded earlier under the ID of the new bot. */
@Injectable()
export class ImportFiles {
  constructor(
    private readonly files: FileStore,
    private readonly listing: FileListing,
    private readonly notes: UploadNotes,
  ) {}

  /**
   * Checks the uploaded files. Without a storage location there are none. If the files are too large to be read in one request, their checksums
   * are not compared.
   */
  async uploaded(location: UploadLocation | null, entries: readonly FileEntry[]): Promise<ImportedFiles> {
    const listed = location
      ? await this.listing.of(
          location,
          entries.map(({ name }) => name),
        )
      : [];
    const sums = location && entries.some(({ sha256 }) => sha256) ? await this.listing.checksums(location, listed) : null;
    const imported = sorted(entries, ({ name, sha256 }, index) => {
      const stored = listed[index]?.stored ?? null;
      if (!stored) return 'file_missing';
      if (this.files.isTooLarge(stored.size)) return 'file_too_large';
      const sum = sums?.get(name);
      return sum !== undefined && sha256 !== undefined && sum !== sha256 ? 'checksum_mismatch' : null;
    });
    const taken = new Set(imported.names);
    const unchecked = entries.filter(({ name, sha256 }) => taken.has(name) && sha256 !== undefined && !sums?.has(name));
    return { ...imported, unchecked: unchecked.map(({ name }) => name) };
  }

  /**
   * Checks the files of an archive one by one, and stores them if there is a storage location. Throws the refusals
   * `invalid_archive` (invalid), `files_too_large` and `too_many_uploads` (conflict).
   */
  async archived(archive: ArchiveReader, entries: readonly FileEntry[], location: UploadLocation | null): Promise<ImportedFiles> {
    const sizes = entries.map(({ path }) => (path === undefined ? null : archive.sizeOf(path)));
    const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    if (entries.length > MOST_FILES || bytes > MOST_BYTES) throw tooLarge();
    const count = sizes.filter((size) => size !== null).length;
    if (location && count > 0) await this.notes.note(location, { type: 'GrantCopies', files: count, by: location.ownerUserId });
    const faults: (LeftOutReason | null)[] = [];
    for (const [index, entry] of entries.entries()) {
      const size = sizes[index] ?? null;
      if (size === null) faults.push('file_missing');
      else if (this.files.isTooLarge(size)) faults.push('file_too_large');
      else faults.push(await this.taken(await archive.read(entry.path!), entry, size, location));
    }
    return sorted(entries, (_, index) => faults[index] ?? null);
  }

  /** Stores a file. If its checksum is not the expected one, the upload fails before it completes, so the file never becomes visible in the store. */
  private async taken(body: Readable, { name, content_type, sha256 }: FileEntry, size: number, location: UploadLocation | null) {
    if (!location) return damagedOr(sha256Of(body).then((sum) => mismatch(sum, sha256)));
    const hashing = new Hashing(size, sha256);
    const contentType = content_type !== undefined && CONTENT_TYPE.test(content_type) ? content_type : 'application/octet-stream';
    let isDamaged = false;
    // A failing store also destroys the body, which does not mean that the archive is damaged.
    body.once('error', () => (isDamaged ||= !hashing.destroyed));
    const storing = this.files.put(location, name, hashing, contentType).catch((error: unknown) => {
      // The store may have failed before it read anything. Without a reader, the pipeline would never end.
      hashing.destroy();
      throw error;
    });
    const [, stored] = await Promise.allSettled([pipeline(body, hashing), storing]);
    if (hashing.isOther) return 'checksum_mismatch';
    if (isDamaged) throw damaged();
    if (stored.status === 'rejected') throw stored.reason;
    return null;
  }
}

function sorted(entries: readonly FileEntry[], faultOf: (entry: FileEntry, nth: number) => LeftOutReason | null): ImportedFiles {
  const faults = entries.map((entry, index) => ({ name: entry.name, fault: faultOf(entry, index) }));
  return {
    names: faults.filter(({ fault }) => fault === null).map(({ name }) => name),
    leftOut: faults.flatMap(({ name, fault }) => (fault === null ? [] : [leftOut('files', name, fault)])),
    unchecked: [],
  };
}

const mismatch = (sum: string, expected: string | undefined) =>
  expected !== undefined && sum !== expected ? ('checksum_mismatch' as const) : null;

const damaged = () =>
  refuse('invalid', 'invalid_archive', 'The archive is damaged.', { errors: [{ path: 'archive', message: 'is damaged' }] });
export const damagedOr = <Result>(read: Promise<Result>): Promise<Result> =>
  read.catch(() => {
    throw damaged();
  });
const tooLarge = () =>
  refuse(
    'conflict',
    'files_too_large',
    `The archive has more than ${MOST_FILES} files, or more than ${MOST_BYTES / 1024 / 1024} MiB of them. Upload the files one by one, and import bot.yaml.`,
  );
