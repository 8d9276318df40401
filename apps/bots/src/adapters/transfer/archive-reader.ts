import type { Readable } from 'node:stream';
import { refuse } from '@parlance/decider';
import { type Entry, open, type ZipFile } from 'yauzl';

/** The most entries of an archive: the files of a bot, and bot.yaml. */
const MOST_ENTRIES = 1_001;
/** How many times larger an entry may be than its compressed form, from `RATIO_FROM_BYTES` on, as for documents. Text reaches about 30. */
const MOST_RATIO = 200;
const RATIO_FROM_BYTES = 4 * 1024 * 1024;

const invalidArchive = (message: string) =>
  refuse('invalid', 'invalid_archive', `The archive ${message}.`, { errors: [{ path: 'archive', message }] });

/**
 * A user's ZIP file, on disk. Its entries are found by their names in the archive's directory, and no name is ever used as a path. Sizes
 * are checked as the archive declares them, and yauzl checks them again while an entry is read.
 */
export class ArchiveReader {
  private constructor(
    private readonly file: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** Rejects with the refusal `invalid_archive` (invalid). Close it afterwards. */
  static async open(path: string): Promise<ArchiveReader> {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true } as const;
    const file = await new Promise<ZipFile>((resolve, reject) =>
      open(path, options, (error, opened) => (error ? reject(invalidArchive('is damaged, or is not a ZIP')) : resolve(opened))),
    );
    try {
      return new ArchiveReader(file, await entriesOf(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** The unpacked size of an entry; null if there is no entry of this name. Throws the refusal `invalid_archive` (invalid). */
  sizeOf(name: string): number | null {
    const entry = this.entries.get(name);
    if (!entry) return null;
    const { compressedSize, uncompressedSize: size } = entry;
    if (size > RATIO_FROM_BYTES && size > compressedSize * MOST_RATIO)
      throw invalidArchive('unpacks to far more data than its size suggests');
    return size;
  }

  /** The unpacked bytes of an existing entry. A damaged entry makes the stream fail. */
  read(name: string): Promise<Readable> {
    return new Promise((resolve, reject) =>
      this.file.openReadStream(this.entries.get(name)!, (error, stream) =>
        error ? reject(invalidArchive('is damaged')) : resolve(stream),
      ),
    );
  }

  close(): void {
    this.file.close();
  }
}

async function entriesOf(file: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (file.entryCount > MOST_ENTRIES) throw invalidArchive(`has more than ${MOST_ENTRIES} entries`);
  const entries = new Map<string, Entry>();
  await new Promise<void>((resolve, reject) => {
    // This error is also emitted for a name that leads out of the archive, such as ../x or /x.
    file.on('error', () => reject(invalidArchive('is damaged, or has a name that is not a relative path')));
    file.on('end', resolve);
    file.on('entry', (entry: Entry) => {
      // Programs would disagree about which of two entries with one name to read.
      if (entries.has(entry.fileName)) return reject(invalidArchive('has two entries with the same name'));
      if (entry.isEncrypted()) return reject(invalidArchive('is protected with a password'));
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
      file.readEntry();
    });
    file.readEntry();
  });
  return entries;
}
