import { hash } from 'node:crypto';

const BLOCK = 64;

/**
 * HMAC-SHA256 with one key, as RFC 2104 defines it, built on Node's one-shot hash. Node's `createHmac` creates a native object for each use,
 * which makes garbage collection slower in a busy server.
 */
export class Hmac {
  private readonly inner: Buffer;
  private readonly outer: Buffer;

  constructor(key: Uint8Array) {
    const block = Buffer.alloc(BLOCK);
    block.set(key.length > BLOCK ? hash('sha256', key, 'buffer') : key);
    this.inner = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.outer = Buffer.from(block.map((byte) => byte ^ 0x5c));
  }

  digest(message: string | Uint8Array): Buffer {
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    return hash('sha256', Buffer.concat([this.outer, hash('sha256', Buffer.concat([this.inner, bytes]), 'buffer')]), 'buffer');
  }
}
