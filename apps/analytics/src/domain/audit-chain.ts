import { type AuditTrailEvent, chained, KEYED } from './audit-trail.ts';

/** The two hashes that entries were made with. */
export interface ChainHashes {
  readonly keyed: (text: string) => string;
  /** Of release 0.2. */
  readonly plain: (text: string) => string;
}

export interface Broken {
  /** The entry at which it shows. */
  readonly id: string;
  readonly reason: string;
}

/**
 * Follows the entries from the first to the last and finds the first that is not as it was recorded. Plain hashes count only before
 * the first keyed one: else any entry could be made to look like one of release 0.2. They count only if a keyed entry follows, which covers them.
 */
export class AuditChain {
  entries = 0;
  head: { readonly id: string; readonly hash: string } | null = null;
  private found: Broken | null = null;
  private isKeyed = false;
  private firstPlain: string | null = null;

  constructor(
    private readonly hashes: ChainHashes,
    /** Where to go on, where everything before was followed already. */
    after: { readonly id: string; readonly hash: string } | null = null,
  ) {
    this.head = after;
    this.isKeyed = after !== null;
  }

  /** Returns the fault of this entry, if any. Later entries are then checked against this entry as it is. */
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

  /** The first entry that is wrong. Only for a chain that was followed to its end. */
  get firstBroken(): Broken | null {
    if (this.found === null && !this.isKeyed && this.firstPlain !== null)
      return { id: this.firstPlain, reason: 'has a hash without a key, and no entry with a key follows' };
    return this.found;
  }

  private wrongWith({ entry, previousHash, hash, proof }: AuditTrailEvent): string | null {
    if (previousHash !== (this.head?.hash ?? '')) return 'does not follow the entry before it: entries were removed, added or moved';
    if (proof !== KEYED && (proof !== undefined || this.isKeyed)) return 'has a hash without the key, after entries that have one';
    const right = this.hashes[proof === KEYED ? 'keyed' : 'plain'](chained(previousHash, entry));
    return hash === right ? null : 'is not what its hash was made of: it was changed, or its hash was made without the key';
  }
}
