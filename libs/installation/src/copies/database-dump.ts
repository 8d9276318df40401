import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { BSON, type Document } from 'mongodb';

/** The collections of a service that a backup contains. The others are built from the log, or describe running processes. */
export const DUMPED = ['commits', 'subject_keys', 'limit_rows'] as const;

export interface Dumped {
  readonly in: (typeof DUMPED)[number];
  readonly document: Document;
}

const LENGTH_BYTES = 4;
const WRITTEN_AT_ONCE = 1024 * 1024;

/** Writes a file of BSON documents, one after the other. */
export class DumpWriter {
  private readonly waiting: Uint8Array[] = [];
  private bytes = 0;

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<DumpWriter> {
    return new DumpWriter(await open(path, 'wx', 0o600));
  }

  async add(dumped: Dumped): Promise<void> {
    const encoded = BSON.serialize(dumped);
    this.waiting.push(encoded);
    this.bytes += encoded.length;
    if (this.bytes >= WRITTEN_AT_ONCE) await this.write();
  }

  async finish(): Promise<void> {
    await this.write();
    await this.file.sync();
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async write(): Promise<void> {
    await this.file.writeFile(Buffer.concat(this.waiting.splice(0)));
    this.bytes = 0;
  }
}

/** Rejects if the file ends within a document, or has anything else. */
export async function* readDump(path: string): AsyncGenerator<Dumped> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: WRITTEN_AT_ONCE })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    while (rest.length - start >= LENGTH_BYTES && rest.length - start >= rest.readInt32LE(start)) {
      const end = start + Math.max(rest.readInt32LE(start), LENGTH_BYTES);
      yield BSON.deserialize(rest.subarray(start, end)) as Dumped;
      start = end;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) throw new Error('the file ends within a document');
}
