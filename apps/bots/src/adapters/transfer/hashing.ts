import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';

/**
 * Passes bytes through, and computes their SHA-256. Ends with an error when there are more than `most`, or when the hash is not the
 * expected one.
 */
export class Hashing extends Transform {
  bytes = 0;
  /** Thrown when the SHA-256 of the bytes differs from the expected one. */
  isOther = false;
  private readonly hash = createHash('sha256');
  private hex: string | undefined;

  constructor(
    private readonly most = Number.POSITIVE_INFINITY,
    private readonly expected?: string,
  ) {
    super();
  }

  /** The hash of all bytes. Call it at the end. */
  get sha256(): string {
    return (this.hex ??= this.hash.digest('hex'));
  }

  override _transform(chunk: Buffer, _: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.most) return done(new Error(`there are more than ${this.most} bytes`));
    this.hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: (error?: Error | null) => void): void {
    this.isOther = this.expected !== undefined && this.sha256 !== this.expected;
    done(this.isOther ? new Error('the bytes differ from the expected ones') : null);
  }
}

/** Reads a stream to its end. Resolves with the SHA-256 of its bytes. */
export async function sha256Of(body: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
