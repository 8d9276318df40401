const PAGE_BITS = 18;
const PAGE = 1 << PAGE_BITS;
const STEP = 16;

/**
 * Memory for lists of integers in large typed arrays. Separate arrays per document would take twice the memory and be slow to read in a row. A
 * freed block is reused for a list of about the same length. Nothing is ever moved, so no call takes long.
 */
export class Blocks {
  private readonly pages: Int32Array[] = [];
  private readonly free = new Map<number, number[]>();
  private end = PAGE;

  /** The numbers that the allocated blocks have room for, including freed ones. */
  get room(): number {
    return this.pages.length === 0 ? 0 : (this.pages.length - 1) * PAGE + this.end;
  }

  /** Allocates room for a list of this length and returns its address. Throws a RangeError for a list that is longer than a page (262,144). */
  take(length: number): number {
    const room = roomFor(length);
    if (room > PAGE) throw new RangeError(`A list has at most ${PAGE} numbers.`);
    const freed = this.free.get(room)?.pop();
    if (freed !== undefined) return freed;
    if (this.end + room > PAGE) {
      this.pages.push(new Int32Array(PAGE));
      this.end = 0;
    }
    const address = (this.pages.length - 1) * PAGE + this.end;
    this.end += room;
    return address;
  }

  give(address: number, length: number): void {
    const room = roomFor(length);
    const freed = this.free.get(room);
    if (freed) freed.push(address);
    else this.free.set(room, [address]);
  }

  pageOf(address: number): Int32Array {
    return this.pages[address >>> PAGE_BITS]!;
  }

  /** The offset of an address in its page. */
  static offsetOf(address: number): number {
    return address & (PAGE - 1);
  }
}

const roomFor = (length: number) => Math.max(1, Math.ceil(length / STEP)) * STEP;
