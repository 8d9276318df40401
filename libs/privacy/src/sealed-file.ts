import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Tampered } from './cipher.ts';

/** Plain bytes of one segment. Sealing or opening a segment takes about 50 µs. */
export const SEGMENT_BYTES = 64 * 1024;
const TAG = 16;
const NONCE = 12;
const KEY_BYTES = 32;

/**
 * The key of one file and of files derived from it. It is stored as sealed text, so that the file is erased with the subject of that text. Each
 * name gets its own derived key, so that segment numbers are sufficient as nonces.
 */
export class FileKey {
  readonly #secret: KeyObject;

  private constructor(bytes: Uint8Array) {
    this.#secret = createSecretKey(bytes);
  }

  static create(): FileKey {
    return new FileKey(randomBytes(KEY_BYTES));
  }

  /** Throws `Tampered` for a text that is not a key. */
  static of(text: string): FileKey {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== KEY_BYTES) throw new Tampered('the key of a file');
    return new FileKey(bytes);
  }

  /** The key as a text, which the caller must seal. */
  toSecretText(): string {
    return this.#secret.export().toString('base64url');
  }

  /**
   * Seals a file in segments (AES-256-GCM). The nonce of a segment has its number and whether it is the last, so that none can be removed, added or
   * moved. The same name is needed to open the file. Under one key, seal only one content for each name.
   */
  *seal(name: string, bytes: Uint8Array): Generator<Buffer> {
    const key = this.keyOf(name);
    for (let number = 0, at = 0; ; number++, at += SEGMENT_BYTES) {
      const isLast = at + SEGMENT_BYTES >= bytes.byteLength;
      yield sealSegment(key, nonceOf(number, isLast), bytes.subarray(at, at + SEGMENT_BYTES));
      if (isLast) return;
    }
  }

  /** As `seal`, for bytes that arrive piece by piece. At most one segment waits. */
  async *sealStream(name: string, plain: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const key = this.keyOf(name);
    let waiting: Uint8Array[] = [];
    let [bytes, number] = [0, 0];
    for await (const chunk of plain) {
      waiting.push(chunk);
      bytes += chunk.byteLength;
      // Only the end of the stream shows which segment is the last.
      if (bytes <= SEGMENT_BYTES) continue;
      let rest = Buffer.concat(waiting);
      for (; rest.length > SEGMENT_BYTES; rest = rest.subarray(SEGMENT_BYTES))
        yield sealSegment(key, nonceOf(number++, false), rest.subarray(0, SEGMENT_BYTES));
      waiting = [rest];
      bytes = rest.length;
    }
    yield sealSegment(key, nonceOf(number, true), Buffer.concat(waiting));
  }

  /** Opens a sealed file piece by piece. Throws `Tampered` at the first changed segment; the earlier segments are authentic. */
  async *open(name: string, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const whole = SEGMENT_BYTES + TAG;
    const key = this.keyOf(name);
    const opened = (number: number, isLast: boolean, box: Buffer) => openSegment(key, nonceOf(number, isLast), box, name);
    let waiting: Uint8Array[] = [];
    let [bytes, number] = [0, 0];
    for await (const chunk of sealed) {
      waiting.push(chunk);
      bytes += chunk.byteLength;
      // Only the end of the stream shows which segment is the last, so one segment always waits.
      if (bytes <= whole) continue;
      let rest = Buffer.concat(waiting);
      for (; rest.length > whole; rest = rest.subarray(whole)) yield opened(number++, false, rest.subarray(0, whole));
      waiting = [rest];
      bytes = rest.length;
    }
    yield opened(number, true, Buffer.concat(waiting));
  }

  private keyOf(name: string): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, '', name, KEY_BYTES)));
  }
}

function sealSegment(key: KeyObject, nonce: Buffer, plain: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([body, cipher.getAuthTag()]);
}

function openSegment(key: KeyObject, nonce: Buffer, box: Buffer, name: string): Buffer {
  if (box.length < TAG) throw new Tampered(name);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAuthTag(box.subarray(-TAG));
  const plain = decipher.update(box.subarray(0, -TAG));
  try {
    decipher.final();
  } catch {
    throw new Tampered(name);
  }
  return plain;
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE);
  nonce.writeUInt32BE(number, 0);
  nonce[NONCE - 1] = isLast ? 1 : 0;
  return nonce;
}

/** The sealed size of a file with this many bytes. */
export const sealedSize = (bytes: number): number => bytes + TAG * Math.max(1, Math.ceil(bytes / SEGMENT_BYTES));
