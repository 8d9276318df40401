import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DamagedObject, type StoredObject, WrongSize } from './object-store.ts';

/**
 * An object's file contains its bytes, followed by the metadata in a block of fixed length. Both are in one file, so that one rename replaces
 * both, and no crash can combine one object's bytes with another's type.
 */
const TRAILER = 512;
/** Up to this size, one read of the whole file is cheaper than a stream. */
const SMALL = 64 * 1024;
const MARK = '\nparlance-object-1\n';

/** Thrown by a draft when the body exceeds its limit. */
export class TooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super(`the body has more than ${maxBytes} bytes`);
    this.name = 'TooLarge';
  }
}

export interface DraftOptions {
  readonly contentType: string;
  readonly size?: number;
  readonly maxBytes?: number;
}

export interface OpenFile extends StoredObject {
  readonly handle: FileHandle;
  /** The bytes of a small object, read together with its metadata. Null for a large object. */
  readonly whole: Buffer | null;
}

/** Writes a body to a synced file under a temporary name and returns that name. The file is removed after any error. */
export async function writeDraft(directory: string, body: Uint8Array | Readable, options: DraftOptions): Promise<string> {
  const path = join(directory, randomUUID());
  const handle = await open(path, 'wx', 0o600);
  try {
    await writeAll(handle, body, options);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await unlink(path);
    throw error;
  }
  await handle.close();
  return path;
}

async function writeAll(handle: FileHandle, body: Uint8Array | Readable, { contentType, size, maxBytes }: DraftOptions): Promise<void> {
  const hash = createHash('sha256');
  let written = 0;
  for await (const chunk of body instanceof Readable ? body : [body]) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
    if (maxBytes !== undefined && written + bytes.length > maxBytes) throw new TooLarge(maxBytes);
    hash.update(bytes);
    await writeWhole(handle, bytes);
    written += bytes.length;
  }
  if (size !== undefined && size !== written) throw new WrongSize(size, written);
  const facts = JSON.stringify({ contentType, etag: `"${hash.digest('base64url')}"` });
  await writeWhole(handle, Buffer.from(facts.padEnd(TRAILER - MARK.length) + MARK));
}

/** Writes all bytes. A file system that becomes full may accept only a part before it fails. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Null if there is no file. A link counts as absent, because objects are files that this store has created. */
export async function openFile(path: string): Promise<OpenFile | null> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ELOOP') return null;
    throw error;
  });
  if (!handle) return null;
  try {
    return { handle, ...(await readTrailer(handle, path)) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readTrailer(handle: FileHandle, path: string): Promise<Omit<OpenFile, 'handle'>> {
  const size = (await handle.stat()).size - TRAILER;
  if (size < 0) throw new DamagedObject(path);
  const start = size <= SMALL ? 0 : size;
  const end = size + TRAILER - start;
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(end), 0, end, start);
  const text = buffer.toString('utf8', end - TRAILER, bytesRead);
  if (bytesRead < end || !text.endsWith(MARK)) throw new DamagedObject(path);
  const { contentType, etag } = factsOf(text.slice(0, -MARK.length), path);
  return { size, contentType, etag, whole: start === size && size > 0 ? null : buffer.subarray(0, size) };
}

function factsOf(text: string, path: string): { readonly contentType: string; readonly etag: string } {
  try {
    return JSON.parse(text) as { contentType: string; etag: string };
  } catch {
    throw new DamagedObject(path);
  }
}

export async function bodyOf({ handle, size, whole }: OpenFile): Promise<Readable> {
  if (!whole) return handle.createReadStream({ start: 0, end: size - 1 });
  await handle.close();
  return Readable.from(size === 0 ? [] : [whole], { objectMode: false });
}

export function sizeOfFile(bytes: number): number {
  return bytes - TRAILER;
}
