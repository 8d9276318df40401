import { randomBytes } from 'node:crypto';
import type { Transaction } from '@parlance/sqlite';
import { decrypt, encrypt, fromBase64url, Tampered } from './cipher.ts';
import type { MasterKey } from './master/master-key.ts';
import { KeyTaken, type PreparedKey, Shredded, type Subject, SubjectKey, SubjectKeys, SubjectMoved } from './subject-keys.ts';

const KEY_BYTES = 32;
const SUBJECT_ID = /^[A-Za-z0-9][\x21-\x7e]{0,199}$/;
/** The ID of a row that proves the master key. It is not a valid subject ID. */
const MASTER_PROOF = '@master';
/** How many new keys may wait for their companions. A key that is dropped too early is made again, and one of the two units of work has to seal again. */
const NEW_KEYS_KEPT = 1_000;

export interface KeyRow {
  readonly id: string;
  readonly within: string | null;
  /** Null in a tombstone. */
  readonly wrapped: string | null;
}

/** The operations that a database provides for keys. Everything else is the same for all databases. */
export interface KeyRows {
  find(id: string): Promise<KeyRow | null>;
  /** Stores the row unless its ID has one. Resolves with the stored row when it is durable. */
  keep(row: KeyRow): Promise<KeyRow>;
  /** The same in the caller's transaction, if the store supports it. */
  keepIn?(transaction: Transaction, row: KeyRow): KeyRow;
  /** Turns the row into a tombstone, or creates one. Resolves with true if a wrapped key was destroyed. Durable when it resolves. */
  destroy(id: string): Promise<boolean>;
}

/**
 * Finds keys of outer subjects that are not in this store, for example in another service. Null means shredded for good; a failed lookup must
 * throw.
 */
export type OuterKeys = (subjectId: string) => Promise<SubjectKey | null>;

export interface SubjectKeysOptions {
  readonly outer?: OuterKeys;
}

/**
 * Checks, at opening, that the store was created under this master key. Without this check, a start with a wrong master key would create keys
 * under it, until part of the keys were wrapped under each. Rejects with `WrongMasterKey`.
 */
export async function openStoredSubjectKeys(rows: KeyRows, master: MasterKey, { outer }: SubjectKeysOptions = {}): Promise<SubjectKeys> {
  const proof = master.wrap(randomBytes(KEY_BYTES), MASTER_PROOF);
  const stored = await rows.keep({ id: MASTER_PROOF, within: null, wrapped: proof });
  master.unwrap(stored.wrapped ?? '', MASTER_PROOF);
  return new StoredSubjectKeys(rows, master, outer);
}

interface NewKey {
  readonly row: KeyRow;
  readonly key: SubjectKey;
}

class StoredSubjectKeys extends SubjectKeys {
  /** Keys that were made here and, as far as is known, are not stored yet. All callers seal with the same key. */
  private readonly unstored = new Map<string, NewKey>();

  constructor(
    private readonly rows: KeyRows,
    private readonly master: MasterKey,
    private readonly outer: OuterKeys | undefined,
  ) {
    super();
  }

  async obtain({ id, within }: Subject): Promise<SubjectKey> {
    assertSubjectId(id);
    const found = await this.rows.find(id);
    if (!found) return this.make(id, within ?? null);
    return this.living(found, within);
  }

  override async prepare(subject: Subject): Promise<PreparedKey> {
    const { id, within } = subject;
    if (!this.rows.keepIn) return super.prepare(subject);
    assertSubjectId(id);
    const found = await this.rows.find(id);
    return found ? { key: await this.living(found, within), companions: [] } : this.prepareNew(subject);
  }

  override async prepareNew(subject: Subject): Promise<PreparedKey> {
    const { id, within } = subject;
    const { rows } = this;
    if (!rows.keepIn) return super.prepare(subject);
    assertSubjectId(id);
    const { row, key } = await this.unstoredKey(id, within ?? null);
    const companion = (transaction: Transaction) => {
      const kept = rows.keepIn!(transaction, row);
      if (kept.wrapped === null) throw new Shredded(id);
      if (kept.wrapped !== row.wrapped) throw new KeyTaken(id);
    };
    return { key, companions: [companion] };
  }

  async find(subjectId: string): Promise<SubjectKey | null> {
    const row = await this.rows.find(subjectId);
    if (!row?.wrapped) return null;
    if (row.within === null) return this.unwrap(row.id, row.wrapped, null);
    const outer = await this.findOuter(row.within);
    return outer && this.unwrap(row.id, row.wrapped, outer);
  }

  async shred(subjectId: string): Promise<boolean> {
    assertSubjectId(subjectId);
    this.unstored.delete(subjectId);
    return this.rows.destroy(subjectId);
  }

  private async make(id: string, within: string | null): Promise<SubjectKey> {
    const { row, key } = await this.unstoredKey(id, within);
    // Concurrent calls store one row, and all of them use it.
    const kept = await this.rows.keep(row);
    this.unstored.delete(id);
    return kept.wrapped === row.wrapped ? key : this.living(kept, within ?? undefined);
  }

  private async unstoredKey(id: string, within: string | null): Promise<NewKey> {
    const made = await this.newKey(id, within);
    const known = this.unstored.get(id);
    if (known && known.row.within === within) return known;
    if (this.unstored.size === NEW_KEYS_KEPT) this.unstored.delete(this.unstored.keys().next().value!);
    this.unstored.set(id, made);
    return made;
  }

  private async newKey(id: string, within: string | null): Promise<NewKey> {
    const outer = within === null ? null : await this.obtainOuter(within);
    const bytes = randomBytes(KEY_BYTES);
    const row = { id, within, wrapped: this.wrap(id, bytes, outer) };
    return { row, key: new SubjectKey(id, bytes, around(outer)) };
  }

  private async living(row: KeyRow, within: string | undefined): Promise<SubjectKey> {
    if (!row.wrapped) throw new Shredded(row.id);
    if (within !== undefined && row.within !== within) throw new SubjectMoved(row.id, row.within, within);
    return this.unwrap(row.id, row.wrapped, row.within === null ? null : await this.obtainOuter(row.within));
  }

  private findOuter(id: string): Promise<SubjectKey | null> {
    return this.outer ? this.outer(id) : this.find(id);
  }

  private async obtainOuter(id: string): Promise<SubjectKey> {
    if (!this.outer) return this.obtain({ id });
    const key = await this.outer(id);
    if (!key) throw new Shredded(id);
    return key;
  }

  private wrap(id: string, bytes: Uint8Array, outer: SubjectKey | null): string {
    if (!outer) return this.master.wrap(bytes, id);
    return `w1.${encrypt(outer.secret, bytes, `w1.${id}`).toString('base64url')}`;
  }

  private unwrap(id: string, wrapped: string, outer: SubjectKey | null): SubjectKey {
    const made = this.unstored.get(id);
    this.unstored.delete(id);
    if (made?.row.wrapped === wrapped) return made.key;
    if (!outer) return new SubjectKey(id, this.master.unwrap(wrapped, id));
    const [form, box] = wrapped.split('.');
    if (form !== 'w1' || box === undefined) throw new Tampered(`the wrapped key ${id}`);
    const bytes = decrypt(outer.secret, fromBase64url(box, id), `w1.${id}`);
    return new SubjectKey(id, bytes, around(outer));
  }
}

function around(outer: SubjectKey | null): readonly string[] {
  return outer ? [outer.id, ...outer.within] : [];
}

function assertSubjectId(id: string): void {
  if (!SUBJECT_ID.test(id))
    throw new TypeError(`${JSON.stringify(id)} is not a subject ID: 1 to 200 printable characters, a letter or digit first`);
}
