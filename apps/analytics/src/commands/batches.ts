import { isTransient } from '@parlance/http';

export interface BatchLimit<Item> {
  readonly count: number;
  /** A batch ends with the item that exceeds this limit. */
  readonly bytes: number;
  sizeOf(item: Item): number;
}

interface Waiting<Item> {
  readonly item: Item;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Executes one batch at a time. Items that arrive meanwhile wait, and form the next batch in the same order. When a batch of several fails
 * permanently, each of its items is tried alone, so that none fails because of another.
 */
export class Batches<Item> {
  private waiting: Waiting<Item>[] = [];
  private isRunning = false;

  constructor(
    private readonly limit: BatchLimit<Item>,
    private readonly work: (batch: readonly Item[]) => Promise<void>,
  ) {}

  add(item: Item): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.waiting.push({ item, resolve, reject });
    if (!this.isRunning) void this.run();
    return promise;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) await this.carryOut(this.next());
    this.isRunning = false;
  }

  private async carryOut(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.work(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length > 1 && !isTransient(error)) for (const each of batch) await this.carryOut([each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  private next(): readonly Waiting<Item>[] {
    let [count, bytes] = [0, 0];
    while (count < this.waiting.length && count < this.limit.count && bytes < this.limit.bytes)
      bytes += this.limit.sizeOf(this.waiting[count++]!.item);
    return this.waiting.splice(0, count);
  }
}
