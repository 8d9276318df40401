import { type AuditTrailEvent, chained, KEYED } from './audit-trail.ts';

/** The two hash functions of entries. */
export interface ChainHashes {
  readonly keyed: (text: string) => string;
  /** The plain hash of release 0.2. */
  readonly plain: (text: string) => string;
}

export interface Broken {
  /** The ID of the entry at which the fault was detected. */
  readonly id: string;
  readonly reason: string;
}

/**
 * Follows the entries from the first to the last, and finds the first that differs from its recorded form. Plain hashes are accepted only
 * before the first keyed one: otherwise any entry could be disguised as one of release 0.2. They are accepted only if a keyed entry
 * follows, which covers them.
 */
export class AuditChain {
  entries = 0;
  head: { readonly id: string; readonly hash: string } | null = null;
  private found: Broken | null = null;
  private isKeyed = false;
  private firstPlain: string | null = null;

  constructor(
    private readonly hashes: ChainHashes,
    /** The entry to continue after, if everything up to it was already verified. */
    after: { readonly id: string; readonly hash: string } | null = null,
  ) {
    this.head = after;
    this.isKeyed = after !== null;
  }

  /** Returns the fault of this entry, if any. Later entries are then checked against this entry, even if it is faulty. */
  follow(event: AuditTrailEvent): Broken | null {
    const reason = this.wrongWith(event);
    const { entry, hash, proof } = event;
    this.entries += 1;
    this.head = { id: entry.id, hash };
    if (proof === KEYED) this.isKeyed = true;
    else this.firstPlain ??= entry.id;
    if (reason === null) return null;
    const broken = { id: entry.id, reason };
    this.found ??= broken;
    return broken;
  }

  /** The first faulty entry. Only valid after the chain was followed to its end. */
  get firstBroken(): Broken | null {
    if (this.found === null && !this.isKeyed && this.firstPlain !== null)
      return { id: this.firstPlain, reason: 'has a hash without a key, and no entry with a key follows' };
    return this.found;
  }

  private wrongWith({ entry, previousHash, hash, proof }: AuditTrailEvent): string | null {
    if (previousHash !== (this.head?.hash ?? '')) return 'does not follow the entry before it: entries were removed, added or moved';
    if (proof !== KEYED && (proof !== undefined || this.isKeyed)) return 'has a hash without a key, after entries that have one';
    const right = this.hashes[proof === KEYED ? 'keyed' : 'plain'](chained(previousHash, entry));
    return hash === right ? null : 'does not match its hash: it was changed, or its hash was computed without the key';
  }
}
