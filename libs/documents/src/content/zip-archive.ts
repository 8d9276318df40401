import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_INFLATED_BYTES, MAX_RATIO, RATIO_FROM_BYTES } from '../limits.ts';

const damaged = () =>
  new DocumentRefused(
    'damaged',
    'This file is damaged: its parts cannot be unpacked. Open it in its program, save it again and upload the new file.',
  );
const tooLarge = () =>
  new DocumentRefused(
    'too_large',
    'This file unpacks to more data than is allowed. Split it into several files, or remove images and unused sheets.',
  );
const encrypted = () =>
  new DocumentRefused('encrypted', 'This file is protected with a password. Save it without a password and upload it again.');

const isEncrypted = (entry: Entry) => (entry.generalPurposeBitFlag & 1) === 1;

/**
 * The entries of a zip archive. Sizes are checked as declared, and again while an entry is inflated. Nothing is written to disk, and an archive
 * within the archive is never opened.
 */
export class ZipArchive {
  private inflated = 0;
  private readonly file: ZipFile;
  private readonly entries: Map<string, Entry>;

  private constructor(file: ZipFile, entries: Map<string, Entry>) {
    this.file = file;
    this.entries = entries;
  }

  /** Rejects with `DocumentRefused`: damaged, encrypted, too_large or unsafe. */
  static async open(bytes: Buffer): Promise<ZipArchive> {
    const file = await new Promise<ZipFile>((resolve, reject) =>
      fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, opened) => (error ? reject(damaged()) : resolve(opened))),
    );
    if (file.entryCount > MAX_ENTRIES) throw tooLarge();
    const entries = new Map<string, Entry>();
    await new Promise<void>((resolve, reject) => {
      file.on('error', () => reject(damaged()));
      file.on('end', resolve);
      file.on('entry', (entry: Entry) => {
        // Different programs would read a second entry with the same name differently.
        if (entries.has(entry.fileName) || entries.size >= MAX_ENTRIES) return reject(damaged());
        if (isEncrypted(entry)) return reject(encrypted());
        entries.set(entry.fileName, entry);
        file.readEntry();
      });
      file.readEntry();
    });
    return new ZipArchive(file, entries);
  }

  /** The inflated size of all entries, as the archive declares it. */
  get declaredBytes(): number {
    return [...this.entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** All entries whose name matches. Their sizes are added up before the first is inflated. */
  async readAll(pattern: RegExp): Promise<Map<string, Buffer>> {
    const names = this.names.filter((name) => pattern.test(name));
    const total = names.reduce((sum, name) => sum + this.entries.get(name)!.uncompressedSize, this.inflated);
    if (total > MAX_INFLATED_BYTES) throw tooLarge();
    const parts = new Map<string, Buffer>();
    for (const name of names) parts.set(name, (await this.read(name))!);
    return parts;
  }

  /** The inflated bytes of an entry, or undefined if there is no entry with this name. */
  async read(name: string): Promise<Buffer | undefined> {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    const size = entry.uncompressedSize;
    if (size > MAX_ENTRY_BYTES) throw tooLarge();
    if (size > RATIO_FROM_BYTES && size > entry.compressedSize * MAX_RATIO)
      throw new DocumentRefused(
        'unsafe',
        'This file unpacks to far more data than its size suggests. Save it again in its program and upload the new file.',
      );
    this.inflated += size;
    if (this.inflated > MAX_INFLATED_BYTES) throw tooLarge();
    return this.inflate(entry);
  }

  private inflate(entry: Entry): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.file.openReadStream(entry, (error, stream) => {
        if (error) return reject(damaged());
        const parts: Buffer[] = [];
        let length = 0;
        stream.on('data', (part: Buffer) => {
          length += part.length;
          if (length > MAX_ENTRY_BYTES) stream.destroy(tooLarge());
          else parts.push(part);
        });
        stream.on('error', (cause) => reject(cause instanceof DocumentRefused ? cause : damaged()));
        stream.on('end', () => resolve(Buffer.concat(parts)));
      });
    });
  }
}

/** An uncompressed archive of the given entries. Libraries that unzip by themselves get such an archive, so that they see only checked content. */
export function storedZip(entries: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of entries) {
    const file = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2); // names are UTF-8
    common.writeUInt16LE(0x21, 8); // 1 January 1980
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(file.length, 22);
    locals.push(Buffer.from('PK\u0003\u0004'), common, file, data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, file);
    offset += 30 + file.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.size, 8);
  end.writeUInt16LE(entries.size, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
