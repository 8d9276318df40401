import { pipeline, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Hashing } from './hashing.ts';

/** A file of an archive. It is opened when the files before it are written. */
export interface ArchivedFile {
  readonly path: string;
  open(): Promise<Readable>;
  /** Called when all its bytes are written. */
  written(sha256: string, bytes: number): void;
}

/** An archive that is not read to its end within this time is aborted. */
const DEADLINE_MILLIS = 3_600_000;
const TEXT_NAME = 'bot.yaml';
/** The modification time of all entries. It is fixed, so that a bot always produces the same bytes. */
const MODIFIED = new Date('2000-01-01T00:00:00Z');

/**
 * A ZIP, generated while it is read: the files, uncompressed, then `bot.yaml` with the text that `text` returns at the end. One part of one
 * file is in memory. A file error ends the stream before the archive's directory, so that no program treats it as complete.
 */
export function archiveOf(files: readonly ArchivedFile[], text: () => string): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | undefined;
  const add = (path: string, compress: boolean, open: () => Promise<Readable>) =>
    zip.addReadStreamLazy(path, { compress, mtime: MODIFIED }, (opened) => {
      open().then(
        (body) => {
          // The client has left meanwhile.
          if (output.destroyed) return void body.destroy();
          current = body;
          opened(null, body);
        },
        (error: Error) => output.destroy(error),
      );
    });
  for (const file of files)
    add(file.path, false, async () => {
      const hashing = new Hashing();
      const body = pipeline(await file.open(), hashing, (error) => {
        if (error) output.destroy(error);
      });
      hashing.once('end', () => file.written(hashing.sha256, hashing.bytes));
      return body;
    });
  add(TEXT_NAME, true, async () => Readable.from([Buffer.from(text())]));
  zip.on('error', (error: Error) => output.destroy(error));
  zip.end();
  const timer = setTimeout(() => output.destroy(new Error('the archive was not read in time')), DEADLINE_MILLIS).unref();
  output.once('close', () => {
    clearTimeout(timer);
    current?.destroy();
  });
  return output;
}
