/** What is received is copied into slabs that grow, since each chunk of a slow client may be one byte, and an object of its own. */
const [FIRST_SLAB, LARGEST_SLAB] = [1024, 256 * 1024];

/** Counts the bytes that the slabs take. */
interface Counter {
  grow(bytes: number): void;
}

/** Collects one body. */
export class Slabs {
  private size = 0;
  private readonly full: Buffer[] = [];
  private slab = Buffer.alloc(0);
  private used = 0;

  /** `share` null: the bytes are counted already, and come whole. */
  constructor(
    private readonly share: Counter | null,
    /** As the request says; 0 where it doesn't. */
    private readonly expected: number,
  ) {}

  add(chunk: Buffer, limit: number): void {
    this.size += chunk.length;
    if (this.size > limit) throw new BodyTooLarge();
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
    // A quarter was sent: the rest will come, and gets its place at once, so that there are no two copies of it in the end.
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

/** Thrown for a body that is larger than its route takes. */
export class BodyTooLarge extends Error {
  readonly statusCode = 413;

  constructor() {
    super('the body is too large');
    this.name = 'BodyTooLarge';
  }
}
