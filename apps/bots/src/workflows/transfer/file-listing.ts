import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { type UploadLocation, FileStore } from '../../adapters/file-store.ts';
import { sha256Of } from '../../adapters/transfer/hashing.ts';
import { inTurnsAtOnce } from '../in-turns-at-once.ts';

/** The most files that one request copies or reads, and their total bytes. They are limited because the client waits for the answer. */
export const MOST_FILES = 1_000;
export const MOST_BYTES = 1024 * 1024 * 1024;
const STATED_AT_ONCE = 16;
const READ_AT_ONCE = 4;

export interface ListedFile {
  readonly name: string;
  /** Null if the file was never uploaded. */
  readonly stored: { readonly size: number; readonly contentType: string } | null;
}

/** Lists the stored files of a bot. */
@Injectable()
export class FileListing {
  constructor(private readonly files: FileStore) {}

  /** Throws `object_store_not_configured` and `object_store_unavailable` (unavailable) if there are names. */
  async of(location: UploadLocation, names: readonly string[]): Promise<readonly ListedFile[]> {
    if (names.length > 0) await this.files.requireAvailable();
    const found = new Map<string, ListedFile['stored']>();
    await inTurnsAtOnce(each(names), STATED_AT_ONCE, async (name) => {
      found.set(name, await this.files.stat(location, name));
    });
    return names.map((name) => ({ name, stored: found.get(name) ?? null }));
  }

  /** Throws the refusal `files_too_large` (conflict) if one request cannot copy all files. */
  requireFew(listed: readonly ListedFile[]): void {
    if (!isFew(listed)) throw tooLarge();
  }

  /** The SHA-256 of each file by name; null if the files are too many or too large to be read. Called during a transfer. */
  async checksums(location: UploadLocation, listed: readonly ListedFile[]): Promise<ReadonlyMap<string, string> | null> {
    if (!isFew(listed)) return null;
    const sums = new Map<string, string>();
    const storedFiles = listed.filter(({ stored }) => stored !== null);
    await inTurnsAtOnce(each(storedFiles), READ_AT_ONCE, async ({ name }) => {
      const object = await this.files.open(location, name);
      if (object) sums.set(name, await sha256Of(object.body));
    });
    return sums;
  }
}

export async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const isFew = (listed: readonly ListedFile[]): boolean =>
  listed.length <= MOST_FILES && listed.reduce((sum, { stored }) => sum + (stored?.size ?? 0), 0) <= MOST_BYTES;

const tooLarge = () =>
  refuse(
    'conflict',
    'files_too_large',
    `The bot has more than ${MOST_FILES} files, or more than ${MOST_BYTES / 1024 / 1024} MiB of them. Request it without files, and upload them to the new bot.`,
  );
