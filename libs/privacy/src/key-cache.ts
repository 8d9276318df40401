import { OpenedTexts } from './opened-texts.ts';
import type { PreparedKey, Subject, SubjectKey } from './subject-keys.ts';

export interface KeyCacheOptions {
  /** The maximum number of keys. 10,000 keys take about 10 MB. */
  readonly max?: number;
  /** The lifetime of an entry. If the event of an erasure in another service is late, the erasure goes unnoticed for at most this time. */
  readonly ttlMillis?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Entry {
  readonly id: string;
  key: SubjectKey | null;
  until: number;
  /** Whether the entry was used since it was last considered for removal. */
  used: boolean;
  /** The sealed form of opened texts, which are dropped with the key. */
  readonly texts: Set<string>;
}

/** Memory for opened texts: the last turns of a few thousand conversations. */
const BYTES_OF_TEXTS = 8 * 1024 * 1024;

/**
 * Caches recently used unwrapped keys, so that sealing and opening seldom wait. The oldest keys are dropped first, but a used key is kept for
 * another round. Rounds go over an array, because a Map keeps the slots of deleted entries: finding its first entry takes 2 to 20 µs, and a round
 * over 10,000 used keys would block for 5 ms.
 */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  /** Each entry has a slot until another entry takes the slot. Some entries are no longer in `entries`. */
  private readonly slots: Entry[] = [];
  /** The slot that is considered next when a slot is needed. */
  private nextSlot = 0;
  private readonly loads = new Map<string, Promise<SubjectKey | null>>();
  private readonly texts = new OpenedTexts(BYTES_OF_TEXTS);
  private readonly max: number;
  private readonly ttlMillis: number;
  private readonly now: () => number;
  /** Counts the calls of `forget`. A key that was being read during such a call may be older than the erasure, so it is read again. */
  private epoch = 0;

  constructor({ max = 10_000, ttlMillis = 60_000, now = () => performance.now() }: KeyCacheOptions = {}) {
    this.max = max;
    this.ttlMillis = ttlMillis;
    this.now = now;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Undefined if nothing is cached for the ID. Null if the key is known to be destroyed. */
  get(id: string): SubjectKey | null | undefined {
    const entry = this.entries.get(id);
    if (!entry) return undefined;
    if (entry.until <= this.now()) {
      this.drop(entry);
      return undefined;
    }
    entry.used = true;
    return entry.key;
  }

  /** A text that is cached with its key. */
  textOf(id: string, sealed: string): string | undefined {
    return this.get(id) ? this.texts.get(sealed) : undefined;
  }

  /** Caches an opened text for as long as its key is cached. */
  rememberText(id: string, sealed: string, plain: string): void {
    const entry = this.entries.get(id);
    if (entry?.key) this.texts.add(sealed, plain, entry.texts);
  }

  /** The cached key, otherwise the result of `load`. Concurrent calls for one key share one load. */
  async find(id: string, load: (id: string) => Promise<SubjectKey | null>): Promise<SubjectKey | null> {
    for (;;) {
      const known = this.get(id);
      if (known !== undefined) return known;
      const { epoch } = this;
      const loading = this.loads.get(id) ?? this.share(id, load(id));
      const key = await loading;
      if (epoch !== this.epoch) continue;
      if (key) this.remember(id, key);
      return key;
    }
  }

  /** Returns the result of `load`. A new key is cached only after it was stored. */
  async obtain(subject: Subject, load: (subject: Subject) => Promise<PreparedKey>): Promise<PreparedKey> {
    const { epoch } = this;
    const prepared = await load(subject);
    if (epoch === this.epoch && prepared.companions.length === 0) this.remember(subject.id, prepared.key);
    return prepared;
  }

  /** The current epoch of erasures, for `learn`. */
  get epochNow(): number {
    return this.epoch;
  }

  /** Caches a stored key, unless `forget` was called since the epoch in which the key was obtained. */
  learn(key: SubjectKey, epoch: number): void {
    if (epoch === this.epoch) this.remember(key.id, key);
  }

  /** Caches that a subject's key was destroyed. Such a subject never gets a key again. */
  rememberGone(id: string): void {
    this.remember(id, null);
  }

  /** Drops a subject's key and the keys of all subjects within it. */
  forget(id: string): void {
    this.epoch++;
    this.loads.clear();
    for (const entry of this.entries.values()) if (entry.id === id || entry.key?.within.includes(id)) this.drop(entry);
  }

  /** Puts this cache in front of a slow source of keys, such as another service. `forget` then applies to these keys too. */
  before(source: (id: string) => Promise<SubjectKey | null>): (id: string) => Promise<SubjectKey | null> {
    return (id) => this.find(id, source);
  }

  private share(id: string, load: Promise<SubjectKey | null>): Promise<SubjectKey | null> {
    const loading = load.finally(() => {
      if (this.loads.get(id) === loading) this.loads.delete(id);
    });
    this.loads.set(id, loading);
    return loading;
  }

  private remember(id: string, key: SubjectKey | null): void {
    const until = this.now() + this.ttlMillis;
    const known = this.entries.get(id);
    if (known) {
      // After each append, the key that it used is cached again.
      if (known.key !== key) this.texts.dropAll(known.texts);
      Object.assign(known, { key, until, used: false });
      return;
    }
    const entry: Entry = { id, key, until, used: false, texts: new Set() };
    this.slots[this.slots.length < this.max ? this.slots.length : this.freeSlot()] = entry;
    this.entries.set(id, entry);
  }

  private drop(entry: Entry): void {
    this.entries.delete(entry.id);
    this.texts.dropAll(entry.texts);
  }

  /** Drops the next entry that was not used since the last round, and returns its slot. */
  private freeSlot(): number {
    for (;;) {
      const slot = this.nextSlot;
      const entry = this.slots[slot]!;
      this.nextSlot = (slot + 1) % this.max;
      const isThere = this.entries.get(entry.id) === entry;
      if (isThere && entry.used) entry.used = false;
      else {
        if (isThere) this.drop(entry);
        return slot;
      }
    }
  }
}
