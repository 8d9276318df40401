import type { PreparedKey, Subject, SubjectKey } from './subject-keys.ts';

export interface KeyCacheOptions {
  /** Keys remembered at most; 10,000 take some 10 MB. */
  readonly max?: number;
  /** The lifetime of an entry. An erasure in another service whose event is late goes unnoticed for this time at most. */
  readonly ttlMillis?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Entry {
  readonly id: string;
  key: SubjectKey | null;
  until: number;
  /** Since it was last passed over for removal. */
  used: boolean;
  /** Opened texts by their sealed form, the oldest first. They go with the key. */
  texts?: Map<string, string>;
}

/** Texts that are remembered with a key. */
const MOST_TEXTS = 4;

/**
 * Recently used unwrapped keys, so that sealing and opening seldom wait. The oldest keys are dropped first, but a used key gets a second
 * round. The rounds are made in an array, because a Map keeps the places of deleted entries: finding its first one costs 2 to 20 µs, and
 * a round over 10,000 used keys 5 ms at once.
 */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  /** Each has a slot until another one takes it. Some of them are no longer in `entries`. */
  private readonly slots: Entry[] = [];
  /** The slot that is looked at next when one is needed. */
  private hand = 0;
  private readonly loads = new Map<string, Promise<SubjectKey | null>>();
  private readonly max: number;
  private readonly ttlMillis: number;
  private readonly now: () => number;
  /** Counts the calls of `forget`. A key that was being read during a call may be older than the erasure, and is read again. */
  private epoch = 0;

  constructor({ max = 10_000, ttlMillis = 60_000, now = () => performance.now() }: KeyCacheOptions = {}) {
    this.max = max;
    this.ttlMillis = ttlMillis;
    this.now = now;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Undefined: not remembered. Null: remembered as gone. */
  get(id: string): SubjectKey | null | undefined {
    const entry = this.entries.get(id);
    if (!entry) return undefined;
    if (entry.until <= this.now()) {
      this.entries.delete(id);
      return undefined;
    }
    entry.used = true;
    return entry.key;
  }

  /** A text that was remembered with a cached key. */
  textOf(id: string, sealed: string): string | undefined {
    return this.get(id) ? this.entries.get(id)?.texts?.get(sealed) : undefined;
  }

  /** Remembers an opened text for as long as its key is cached. */
  rememberText(id: string, sealed: string, plain: string): void {
    const entry = this.entries.get(id);
    if (!entry?.key) return;
    const texts = (entry.texts ??= new Map<string, string>());
    texts.set(sealed, plain);
    if (texts.size > MOST_TEXTS) texts.delete(texts.keys().next().value!);
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

  /** The result of `load`. A new key is not cached before it is stored. */
  async obtain(subject: Subject, load: (subject: Subject) => Promise<PreparedKey>): Promise<PreparedKey> {
    const { epoch } = this;
    const prepared = await load(subject);
    if (epoch === this.epoch && prepared.companions.length === 0) this.remember(subject.id, prepared.key);
    return prepared;
  }

  /** Names the present state of erasures, for `learn`. */
  get epochNow(): number {
    return this.epoch;
  }

  /** Remembers a key that was stored, unless something was forgotten since the epoch in which it was obtained. */
  learn(key: SubjectKey, epoch: number): void {
    if (epoch === this.epoch) this.remember(key.id, key);
  }

  /** For a subject that had a key and has none: such a one never has one again. */
  rememberGone(id: string): void {
    this.remember(id, null);
  }

  /** Drops a subject's key and the keys of all subjects within it. */
  forget(id: string): void {
    this.epoch++;
    this.loads.clear();
    this.entries.delete(id);
    for (const [inner, { key }] of this.entries) if (key?.within.includes(id)) this.entries.delete(inner);
  }

  /** Puts this memory before a costly source of keys, such as another service: `forget` then reaches those too. */
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
      // Texts were opened with the key before.
      delete known.texts;
      Object.assign(known, { key, until, used: false });
      return;
    }
    const entry: Entry = { id, key, until, used: false };
    this.slots[this.slots.length < this.max ? this.slots.length : this.freePlace()] = entry;
    this.entries.set(id, entry);
  }

  /** The place of the next entry that was not used since the last round. It is forgotten. */
  private freePlace(): number {
    for (;;) {
      const place = this.hand;
      const entry = this.slots[place]!;
      this.hand = (place + 1) % this.max;
      const isThere = this.entries.get(entry.id) === entry;
      if (isThere && entry.used) entry.used = false;
      else {
        if (isThere) this.entries.delete(entry.id);
        return place;
      }
    }
  }
}
