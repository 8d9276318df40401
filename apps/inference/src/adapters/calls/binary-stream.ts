import type { PassedStream } from './passed-stream.ts';

const NONE = Buffer.alloc(0);

/** Passes on an answer that is no text, such as audio. Its last piece is kept back until the charge is recorded. */
export class BinaryStream implements PassedStream {
  readonly report = null;
  readonly isFinal = false;
  readonly hasLast = false;
  bytes = 0;
  private kept: Buffer = NONE;

  pass(chunk: Buffer): Buffer {
    const passed = this.kept;
    this.kept = chunk;
    this.bytes += chunk.length;
    return passed;
  }

  end(): Buffer {
    return this.kept;
  }

  texts() {
    return { text: '', share: 1 };
  }
}
