import type { RevocationNews } from './feed.ts';
import { CLOCKS_APART_MS, OVER_THE_NETWORK } from './terms.ts';

/** A watcher's copy of the revocations, and the time until which it is valid. Pure: times are arguments, from one process's clock. */
export class RevocationCopy {
  private readonly untils = new Map<string, number>();
  private goodUntil = Number.NEGATIVE_INFINITY;
  private position: number | null = null;

  constructor(private readonly leaseMs = OVER_THE_NETWORK.leaseMs) {}

  /** The position for the next poll; null while there is no copy. */
  get seen(): number | null {
    return this.position;
  }

  isFresh(now: number): boolean {
    return now < this.goodUntil;
  }

  has(key: string): boolean {
    return this.untils.has(key);
  }

  /** Applies an answer. It is valid from the time when the poll was sent, because the time at which the owner read the rows is unknown. */
  take({ position, entries }: RevocationNews, sentAt: number): void {
    for (const { key, revoked, until } of entries) {
      if (revoked) this.untils.set(key, until);
      else this.untils.delete(key);
    }
    this.position = position;
    this.goodUntil = sentAt + this.leaseMs;
  }

  /** Invalidates the copy. */
  giveUp(): void {
    this.goodUntil = Number.NEGATIVE_INFINITY;
    this.position = null;
    this.untils.clear();
  }

  /** Removes revocations that have expired at this time. */
  forget(now: number): void {
    for (const [key, until] of this.untils) if (until + CLOCKS_APART_MS < now) this.untils.delete(key);
  }
}
