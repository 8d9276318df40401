import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Transaction } from '@parlance/sqlite';

/** The owner of personal content. All content of a subject is erased together. */
export interface Subject {
  /** Stays readable in every sealed text and in the tombstone: an opaque id, never a name or an address. */
  readonly id: string;
  /** A subject around this one (a conversation's user): shredding that makes this one unreadable too. Fixed at the first use. */
  readonly within?: string;
}

/** A living key. The bytes show in no log and no JSON. */
export class SubjectKey {
  readonly #secret: KeyObject;

  constructor(
    readonly id: string,
    bytes: Uint8Array,
    /** The subjects around this one, nearest first. */
    readonly within: readonly string[] = [],
  ) {
    this.#secret = createSecretKey(bytes);
  }

  get secret(): KeyObject {
    return this.#secret;
  }

  /** For handing an outer subject's key to the service that keeps the inner ones. */
  bytes(): Uint8Array {
    return this.#secret.export();
  }
}

/** Thrown by `obtain`, and so by sealing, when the subject or one around it has been shredded: nothing new may be kept about it. */
export class Shredded extends Error {
  constructor(readonly subject: string) {
    super(`the key of ${subject} was shredded`);
    this.name = 'Shredded';
  }
}

/** Thrown by `obtain` if the subject's key lies within another subject than the caller states. Texts sealed with it would survive an erasure. */
export class SubjectMoved extends Error {
  constructor(
    readonly subject: string,
    readonly within: string | null,
    readonly expected: string,
  ) {
    super(`the key of ${subject} lies within ${within ?? 'no other'}, not within ${expected}`);
    this.name = 'SubjectMoved';
  }
}

/** Writes a new key in the transaction of the append whose events were sealed with it. Throws `KeyTaken` or `Shredded`, which undoes the append. */
export type KeyCompanion = (transaction: Transaction) => void;

/** A key for sealing. If it has companions, it is new and not stored yet, and they must be part of the append that stores the texts. */
export interface PreparedKey {
  readonly key: SubjectKey;
  readonly companions: readonly KeyCompanion[];
}

/** Thrown by a companion when another unit of work has stored a key of the subject first. Sealing again uses the stored one. */
export class KeyTaken extends Error {
  constructor(readonly subject: string) {
    super(`another key of ${subject} was stored first`);
    this.name = 'KeyTaken';
  }
}

/** Keeps one key for each subject, until it is shredded. */
export abstract class SubjectKeys {
  /** The subject's key, made durably at the first call; all callers get the same. Rejects with `Shredded` or `SubjectMoved`. */
  abstract obtain(subject: Subject): Promise<SubjectKey>;
  /**
   * The subject's key, made if there is none. Where the store can't write it with an append, it is durable when this resolves and there
   * are no companions. Rejects like `obtain`.
   */
  async prepare(subject: Subject): Promise<PreparedKey> {
    return { key: await this.obtain(subject), companions: [] };
  }
  /**
   * As `prepare`, for a subject whose ID the caller has just made. Its key need not be read: if there is one, the append with the companions
   * fails. Rejects with `Shredded` if a subject that this one belongs to was shredded.
   */
  prepareNew(subject: Subject): Promise<PreparedKey> {
    return this.prepare(subject);
  }
  /** Null when it, or one around it, was shredded or never made. */
  abstract find(subjectId: string): Promise<SubjectKey | null>;
  /**
   * Destroys the key; true when this call destroyed one. A tombstone stays even for a subject that never had a key, so that
   * a belated event can't make it one.
   */
  abstract shred(subjectId: string): Promise<boolean>;
}
