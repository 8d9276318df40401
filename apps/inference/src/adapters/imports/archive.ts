// Node runs this source without compiling it in tests; see limits.ts.
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { ImportFault } from './import-fault.ts';
import { MOST_ENTRIES, MOST_RATIO, MOST_UNPACKED_BYTES, RATIO_FROM_BYTES } from './limits.ts';

const invalid = (what: string) => new ImportFault('invalid_import', `The archive ${what}.`);
const tooLarge = () =>
  new ImportFault(
    'import_too_large',
    `The conversations in the archive have more than ${MOST_UNPACKED_BYTES / 1024 / 1024} MiB when unpacked. Split them into several files.`,
  );

/**
 * Unpacks the entries of a ZIP whose names match, one after another. All other entries stay packed, including nested archives. No name is used as
 * a path. Throws `ImportFault`.
 */
export async function entriesOf(bytes: Buffer, matches: RegExp): Promise<ReadonlyMap<string, Buffer>> {
  const file = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true }, (error, opened) =>
      error ? reject(invalid('is damaged, or is not a ZIP')) : resolve(opened),
    ),
  );
  if (file.entryCount > MOST_ENTRIES) throw invalid(`has more than ${MOST_ENTRIES} entries`);
  const found = await matching(file, matches);
  const unpacked = new Map<string, Buffer>();
  for (const [name, entry] of found) unpacked.set(name, await read(file, entry));
  return unpacked;
}

async function matching(file: ZipFile, matches: RegExp): Promise<ReadonlyMap<string, Entry>> {
  const names = new Set<string>();
  const found = new Map<string, Entry>();
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    // Also raised for a name that leads out of the archive, such as ../x or /x.
    file.on('error', () => reject(invalid('is damaged, or has a name that is not a relative path')));
    file.on('end', resolve);
    file.on('entry', (entry: Entry) => {
      const { fileName: name, uncompressedSize: size, compressedSize } = entry;
      // Different programs would read two entries with the same name differently.
      if (names.has(name)) return reject(invalid('has two entries with the same name'));
      names.add(name);
      if (matches.test(name)) {
        if (entry.isEncrypted()) return reject(invalid('is protected with a password'));
        if (size > RATIO_FROM_BYTES && size > compressedSize * MOST_RATIO)
          return reject(invalid('unpacks to far more data than its size suggests'));
        if ((bytes += size) > MOST_UNPACKED_BYTES) return reject(tooLarge());
        found.set(name, entry);
      }
      file.readEntry();
    });
    file.readEntry();
  });
  return found;
}

/** yauzl fails if the size of an entry differs from the declared one. */
function read(file: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    file.openReadStream(entry, (error, stream) => {
      if (error) return reject(invalid('is damaged'));
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('error', () => reject(invalid('is damaged')));
      stream.on('end', () => resolve(Buffer.concat(parts)));
    });
  });
}
