import { type Refusal, refuse } from '@parlance/decider';

/** Chunks are copied into slabs that grow. A slow client may send chunks of one byte, and each would be a separate object. */
const [FIRST_SLAB, LARGEST_SLAB] = [1024, 256 * 1024];

/** Counts the bytes of the slabs. */
interface Counter {
  grow(bytes: number): void;
}

/** Collects one body. */
export class Slabs {
  private size = 0;
  private readonly full: Buffer[] = [];
  private slab = Buffer.alloc(0);
  private used = 0;

  /** `share` is null if the bytes are already counted and arrive complete. */
  constructor(
    private readonly share: Counter | null,
    /** The Content-Length; 0 if the request has none. */
    private readonly expected: number,
  ) {}

  add(chunk: Buffer, limit: number): void {
    this.size += chunk.length;
    if (this.size > limit) throw bodyTooLarge(limit);
    if (!this.share) {
      this.full.push(chunk);
      return;
    }
    for (let from = 0; from < chunk.length;) {
      if (this.used === this.slab.length) this.open(chunk.length - from);
      const copied = chunk.copy(this.slab, this.used, from);
      this.used += copied;
      from += copied;
    }
  }

  private open(wanted: number): void {
    const before = this.size - wanted;
    // After a quarter has arrived, space for the whole body is reserved, so that it is not copied a second time at the end.
    if (this.expected > LARGEST_SLAB && before >= this.expected / 4) return this.openWhole(before);
    const length = Math.min(Math.max(this.slab.length * 2, wanted, FIRST_SLAB), LARGEST_SLAB);
    this.share?.grow(length);
    if (this.used > 0) this.full.push(this.slab);
    this.slab = Buffer.allocUnsafeSlow(length);
    this.used = 0;
  }

  private openWhole(before: number): void {
    this.share?.grow(this.expected - before);
    const whole = Buffer.allocUnsafeSlow(this.expected);
    for (let [nth, to] = [0, 0]; nth < this.full.length; nth++) to += this.full[nth]!.copy(whole, to);
    this.slab.copy(whole, before - this.used);
    this.full.length = 0;
    this.slab = whole;
    this.used = before;
  }

  all(): Buffer {
    const last = this.slab.subarray(0, this.used);
    if (this.full.length === 0) return last;
    if (this.full.length === 1 && this.used === 0) return this.full[0] as Buffer;
    return Buffer.concat([...this.full, last]);
  }
}

const MIB = 1024 * 1024;

/** Thrown when a body is larger than the limit of its route. */
export const bodyTooLarge = (limit: number): Refusal =>
  refuse(
    'too_large',
    'body_too_large',
    `The body has more than ${limit % MIB === 0 ? `${limit / MIB} MiB` : `${limit} bytes`}, the limit of this route.`,
  );
