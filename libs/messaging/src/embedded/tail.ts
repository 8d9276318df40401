import type { BatchLimit } from '../broker.ts';
import type { Entry } from './entry.ts';

const TAIL_BYTES = 1024 * 1024;
const TAIL_EVENTS = 1_000;

/** The newest events of all partitions. Groups near the end share them and read no rows. */
export class Tail {
  readonly #entries = new Map<number, Entry[]>();
  /** The partition of each entry, in order of arrival. */
  readonly #order: number[] = [];
  #bytes = 0;

  /** Called in the order of the log. */
  add(entry: Entry): void {
    const { id } = entry.partition;
    const entries = this.#entries.get(id);
    if (entries) entries.push(entry);
    else this.#entries.set(id, [entry]);
    this.#order.push(id);
    this.#bytes += entry.bytes;
    while (this.#bytes > TAIL_BYTES || this.#order.length > TAIL_EVENTS) this.#dropOldest();
  }

  /** The entries of a partition from an offset on, or null when the first of them must be read from the file. */
  read(partition: number, from: number, limit: BatchLimit): readonly Entry[] | null {
    const entries = this.#entries.get(partition);
    const first = entries?.[0];
    if (!entries || !first || from < first.offset) return null;
    const begin = from - first.offset;
    let end = begin;
    for (let bytes = 0; end < entries.length && end - begin < limit.events && bytes < limit.bytes; end++)
      bytes += (entries[end] as Entry).bytes;
    return entries.slice(begin, end);
  }

  #dropOldest(): void {
    const partition = this.#order.shift() as number;
    const entries = this.#entries.get(partition) as Entry[];
    this.#bytes -= (entries.shift() as Entry).bytes;
    if (entries.length === 0) this.#entries.delete(partition);
  }
}
