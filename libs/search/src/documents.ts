import { keyOf } from './best.ts';
import { Blocks } from './blocks.ts';

const FIRST_CAPACITY = 64;

/**
 * The indexed documents by slot, a small number that is reused after its document is removed. Stored in columns, because a search reads one
 * column of all documents.
 */
export class Documents<Doc> {
  readonly ids: (string | undefined)[] = [];
  readonly docs: (Doc | undefined)[] = [];
  /** See `keyOf`. */
  keys = new Float64Array(FIRST_CAPACITY);
  private readonly slots = new Map<string, number>();
  private readonly free: number[] = [];
  private readonly blocks = new Blocks();
  private addresses = new Int32Array(FIRST_CAPACITY);
  private lengths = new Int32Array(FIRST_CAPACITY);
  private titleLengths = new Int32Array(FIRST_CAPACITY);

  get size(): number {
    return this.slots.size;
  }

  /** Greater than every slot in use. */
  get slotCount(): number {
    return this.ids.length;
  }

  get capacity(): number {
    return this.keys.length;
  }

  /** The numbers that the blocks have room for. */
  get room(): number {
    return this.blocks.room;
  }

  slotOf(id: string): number | undefined {
    return this.slots.get(id);
  }

  /** Allocates a slot for a document with this many terms, which `setTerm` then sets. */
  add(id: string, doc: Doc, titleLength: number, length: number): number {
    const slot = this.free.pop() ?? this.ids.length;
    if (slot >= this.capacity) this.grow();
    this.ids[slot] = id;
    this.docs[slot] = doc;
    this.keys[slot] = keyOf(id);
    this.addresses[slot] = this.blocks.take(2 * length);
    this.lengths[slot] = length;
    this.titleLengths[slot] = titleLength;
    this.slots.set(id, slot);
    return slot;
  }

  remove(slot: number): void {
    this.slots.delete(this.ids[slot]!);
    this.blocks.give(this.addresses[slot]!, 2 * this.lengths[slot]!);
    this.ids[slot] = undefined;
    this.docs[slot] = undefined;
    this.free.push(slot);
  }

  /** The ids of the terms of the title, then of the description, as a range of `page`. */
  termsOf(slot: number): { page: Int32Array; from: number; titleEnd: number; end: number } {
    const address = this.addresses[slot]!;
    const from = Blocks.offsetOf(address);
    return { page: this.blocks.pageOf(address), from, titleEnd: from + this.titleLengths[slot]!, end: from + this.lengths[slot]! };
  }

  /**
   * `place` is the index of the document in the term's list. It is stored at the first occurrence of the term in the document, and is -1 at the
   * others.
   */
  setTerm(slot: number, index: number, term: number, place: number): void {
    const { page, from, end } = this.termsOf(slot);
    page[from + index] = term;
    page[end + index] = place;
  }

  /** Calls back once with each term of a document, and with its place. */
  forEachTerm(slot: number, callback: (term: number, place: number) => void): void {
    const { page, from, end } = this.termsOf(slot);
    for (let at = from; at < end; at++) {
      const place = page[end + at - from]!;
      if (place !== -1) callback(page[at]!, place);
    }
  }

  movePlace(slot: number, term: number, place: number): void {
    const { page, from, end } = this.termsOf(slot);
    page[end + page.indexOf(term, from) - from] = place;
  }

  private grow(): void {
    const capacity = 2 * this.capacity;
    const copy = <A extends Float64Array | Int32Array>(old: A, grown: A): A => (grown.set(old), grown);
    this.keys = copy(this.keys, new Float64Array(capacity));
    this.addresses = copy(this.addresses, new Int32Array(capacity));
    this.lengths = copy(this.lengths, new Int32Array(capacity));
    this.titleLengths = copy(this.titleLengths, new Int32Array(capacity));
  }
}
