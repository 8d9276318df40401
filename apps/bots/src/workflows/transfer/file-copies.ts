import { Injectable } from '@nestjs/common';
import { type UploadLocation, FileStore } from '../../adapters/file-store.ts';
import { UploadNotes } from '../../commands/upload-notes.ts';
import { inTurnsAtOnce } from '../in-turns-at-once.ts';
import { each, FileListing } from './file-listing.ts';
import { Transfers } from './transfers.ts';

const COPIED_AT_ONCE = 4;

/** Copies the files of a bot for a bot that is not saved yet. */
@Injectable()
export class FileCopies {
  constructor(
    private readonly files: FileStore,
    private readonly listing: FileListing,
    private readonly notes: UploadNotes,
    private readonly transfers: Transfers,
  ) {}

  /**
   * A file that was never uploaded is not copied. The clean-up removes copies that an interruption leaves. Throws the refusals
   * `files_too_large` and `too_many_uploads` (conflict), `transfer_running` (limited), and `busy`, `object_store_not_configured` and
   * `object_store_unavailable` (unavailable).
   */
  async copy(from: UploadLocation, to: UploadLocation, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.transfers.during(to.ownerUserId, async () => {
      this.listing.requireFew(await this.listing.of(from, names));
      await this.notes.note(to, { type: 'GrantCopies', files: names.length, by: to.ownerUserId });
      await inTurnsAtOnce(each(names), COPIED_AT_ONCE, async (name) => {
        await this.files.copy(from, to, name);
      });
    });
  }
}
