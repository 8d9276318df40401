import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Transaction } from '@parlance/sqlite';

/** The owner of personal content. All content of a subject is erased together. */
export interface Subject {
  /** Remains readable in every sealed text and in the tombstone, so use an opaque ID, never a name or an address. */
  readonly id: string;
  /** An outer subject, such as a conversation's user. Shredding the outer subject makes this one unreadable too. Fixed at the first use. */
  readonly within?: string;
}

/** The key of a subject that was not shredded. Logs and JSON do not show its bytes. */
export class SubjectKey {
  readonly #secret: KeyObject;

  constructor(
    readonly id: string,
    bytes: Uint8Array,
    /** The outer subjects, nearest first. */
    readonly within: readonly string[] = [],
  ) {
    this.#secret = createSecretKey(bytes);
  }

  get secret(): KeyObject {
    return this.#secret;
  }

  /** For passing an outer subject's key to the service that keeps the inner keys. */
  bytes(): Uint8Array {
    return this.#secret.export();
  }
}

/** Thrown by `obtain`, and therefore by sealing, if the subject or an outer one was shredded. Nothing new may be stored about it. */
export class Shredded extends Error {
  constructor(readonly subject: string) {
    super(`the key of ${subject} was shredded`);
    this.name = 'Shredded';
  }
}

/** Thrown by `obtain` if the subject's key is within another subject than the caller states. Texts sealed with the key would survive an erasure. */
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

/** Writes a new key in the transaction of the append whose events were sealed with it. Throws `KeyTaken` or `Shredded`, which rolls the append back. */
export type KeyCompanion = (transaction: Transaction) => void;

/** A key for sealing. If it has companions, it is new and not stored yet, and they must be part of the append that stores the texts. */
export interface PreparedKey {
  readonly key: SubjectKey;
  readonly companions: readonly KeyCompanion[];
}

/** Thrown by a companion if another unit of work has stored a key of the subject first. Sealing again uses the stored key. */
export class KeyTaken extends Error {
  constructor(readonly subject: string) {
    super(`another key of ${subject} was stored first`);
    this.name = 'KeyTaken';
  }
}

/** Stores one key for each subject, until the subject is shredded. */
export abstract class SubjectKeys {
  /** The subject's key. It is created and made durable at the first call, and all callers get the same key. Rejects with `Shredded` or `SubjectMoved`. */
  abstract obtain(subject: Subject): Promise<SubjectKey>;
  /**
   * The subject's key, created if there is none. If the store cannot write it with an append, the key is durable when this resolves and there are
   * no companions. Rejects like `obtain`.
   */
  async prepare(subject: Subject): Promise<PreparedKey> {
    return { key: await this.obtain(subject), companions: [] };
  }
  /**
   * Like `prepare`, for a subject whose ID the caller has just created. Its key is not read: if there is one, the append with the companions fails.
   * Rejects with `Shredded` if an outer subject was shredded.
   */
  prepareNew(subject: Subject): Promise<PreparedKey> {
    return this.prepare(subject);
  }
  /** Null if the key, or one of an outer subject, was shredded or never created. */
  abstract find(subjectId: string): Promise<SubjectKey | null>;
  /**
   * Destroys the key. Resolves with true if this call destroyed a key. A tombstone remains even for a subject that never had a key, so that a late
   * event cannot create one.
   */
  abstract shred(subjectId: string): Promise<boolean>;
}
