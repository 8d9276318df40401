import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBuffer, type ZipFile } from 'yauzl';

/** The entries of a ZIP by their paths. */
export async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: false, decodeStrings: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  const entries = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        void buffer(stream)
          .then((read) => {
            if (crc32(read) !== entry.crc32) throw new Error(`${entry.fileName} has another checksum`);
            entries.set(entry.fileName, read);
            zip.readEntry();
          })
          .catch(reject);
      }),
    );
    zip.on('end', resolve).on('error', reject).readEntry();
  });
  return entries;
}
