import { StoreClosed } from '../../event-store.ts';

interface Waiter {
  resolve(position: number): void;
  reject(error: Error): void;
}

const KEPT = 20_000;

/** The newest positions that this process has seen, and the waits for positions that are not assigned yet. */
export class MongoPositions {
  private readonly waiters = new Map<string, Waiter[]>();
  /** 0 for a commit that was appended here and has no position yet. */
  private readonly recent = new Map<string, number>();

  /** Notes that a commit needs a position. A scan may have assigned the position already. */
  expect(id: string): void {
    if (!this.recent.has(id)) remember(this.recent, id, 0);
  }

  /** 0 if the position is not assigned yet; undefined if the commit is unknown. */
  known(id: string): number | undefined {
    return this.recent.get(id);
  }

  wait(id: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const others = this.waiters.get(id);
      if (others) others.push({ resolve, reject });
      else this.waiters.set(id, [{ resolve, reject }]);
    });
  }

  waitedFor(): string[] {
    return [...this.waiters.keys()];
  }

  awaited(): boolean {
    return this.waiters.size > 0;
  }

  give(id: string, position: number): void {
    remember(this.recent, id, position);
    for (const { resolve } of this.waiters.get(id) ?? []) resolve(position);
    this.waiters.delete(id);
  }

  end(): void {
    for (const waiters of this.waiters.values()) for (const { reject } of waiters) reject(new StoreClosed());
    this.waiters.clear();
  }
}

/** Keeps only the newest entries. For a dropped one, the database is queried again. */
export function remember(entries: Map<string, number>, key: string, value: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > KEPT) entries.delete(entries.keys().next().value!);
}
