import { Injectable } from '@nestjs/common';
import { Clock } from '@parlance/foundation';

/** Bytes of all cached answers of a process, and of one user's. */
export const BYTES_OF_CACHE = 64 * 1024 * 1024;
export const BYTES_OF_USER = BYTES_OF_CACHE / 4;
/** Answers of more bytes are not cached. */
export const MOST_BYTES = 1024 * 1024;
/** Bytes that an entry takes besides its body. */
const ENTRY_BYTES = 512;

export interface CachedAnswer {
  /** The model that answered. */
  readonly model: string;
  readonly contentType: string;
  readonly body: Buffer;
}

interface Entry extends CachedAnswer {
  /** On the steady clock. */
  readonly until: number;
}

/** Those used least recently come first. */
interface OfUser {
  readonly entries: Map<string, Entry>;
  bytes: number;
}

/**
 * Answers of models that users have received before, in the memory of this process. A user gets only answers to their own calls. Bounded in bytes:
 * the answers used least recently go first.
 */
@Injectable()
export class AnswerCache {
  private readonly users = new Map<string, OfUser>();
  private bytes = 0;

  constructor(private readonly clock: Clock) {}

  get(userId: string, key: string): CachedAnswer | null {
    const its = this.users.get(userId);
    const entry = its?.entries.get(key);
    if (!its || !entry) return null;
    if (entry.until <= this.clock.steady()) {
      this.remove(userId, its, key);
      return null;
    }
    its.entries.delete(key);
    its.entries.set(key, entry);
    this.users.delete(userId);
    this.users.set(userId, its);
    return entry;
  }

  add(userId: string, key: string, answer: CachedAnswer, ttlSeconds: number): void {
    const bytes = bytesOf(answer);
    if (answer.body.length > MOST_BYTES) return;
    const its = this.users.get(userId) ?? { entries: new Map<string, Entry>(), bytes: 0 };
    this.remove(userId, its, key);
    while (its.bytes + bytes > BYTES_OF_USER) this.removeOldest(userId, its);
    while (this.bytes + bytes > BYTES_OF_CACHE) {
      const [other, of] = this.users.entries().next().value!;
      this.removeOldest(other, of);
    }
    its.entries.set(key, { ...answer, until: this.clock.steady() + ttlSeconds * 1_000 });
    its.bytes += bytes;
    this.bytes += bytes;
    this.users.delete(userId);
    this.users.set(userId, its);
  }

  /** Removes the answers of a user. */
  forget(userId: string): void {
    this.bytes -= this.users.get(userId)?.bytes ?? 0;
    this.users.delete(userId);
  }

  removeExpired(): void {
    const now = this.clock.steady();
    for (const [userId, its] of this.users) for (const [key, { until }] of its.entries) if (until <= now) this.remove(userId, its, key);
  }

  get isEmpty(): boolean {
    return this.users.size === 0;
  }

  private removeOldest(userId: string, its: OfUser): void {
    const [key] = its.entries.keys();
    this.remove(userId, its, key!);
  }

  private remove(userId: string, its: OfUser, key: string): void {
    const entry = its.entries.get(key);
    if (!entry) return;
    its.entries.delete(key);
    its.bytes -= bytesOf(entry);
    this.bytes -= bytesOf(entry);
    if (its.entries.size === 0) this.users.delete(userId);
  }
}

const bytesOf = ({ body }: CachedAnswer): number => body.length + ENTRY_BYTES;
