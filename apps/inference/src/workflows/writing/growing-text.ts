/** Small parts are joined into blocks of this length, which limits both their number and the cost of copying a long text. */
const BLOCK = 1_024;

/** A text that grows at its end, and can be read from any offset. Offsets count UTF-16 code units. */
export class GrowingText {
  private readonly blocks: string[] = [];
  private readonly starts: number[] = [];
  private size = 0;

  get length(): number {
    return this.size;
  }

  add(part: string): void {
    if (part === '') return;
    const last = this.blocks.length - 1;
    const open = this.blocks[last];
    if (open !== undefined && open.length < BLOCK) this.blocks[last] = open + part;
    else {
      this.starts.push(this.size);
      this.blocks.push(part);
    }
    this.size += part.length;
  }

  /** The text from an offset, at most `most` code units. Never ends in the middle of a surrogate pair. */
  from(offset: number, most: number): string {
    let found = '';
    for (let at = this.blockAt(offset); at < this.blocks.length && found.length < most; at++) {
      const begin = Math.max(0, offset - this.starts[at]!);
      found += this.blocks[at]!.slice(begin, begin + most - found.length);
    }
    const isCut = isHighSurrogate(found.charCodeAt(found.length - 1));
    return isCut ? found.slice(0, -1) : found;
  }

  toString(): string {
    return this.blocks.join('');
  }

  private blockAt(offset: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
