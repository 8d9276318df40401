import { SHARE_OF_A_USER } from '@parlance/chat-models';

/** Slots in addition to the limit of the busiest provider, so that a provider that hangs leaves slots for others. */
export const SLOTS_FOR_OTHERS = 256;
/** Bytes of the questions and prompts of all replies that this process writes. */
export const BYTES_OF_REPLIES = 128 * 1024 * 1024;
/** The limit for one provider, so that long prompts for a provider that hangs leave memory for others. */
export const BYTES_OF_A_PROVIDER = (BYTES_OF_REPLIES * 7) / 8;
/** The limit for one owner, so that one user's long prompts leave memory for others. */
export const BYTES_OF_AN_OWNER = (BYTES_OF_REPLIES * 3) / 4;

/** The reply that needs a slot. */
export interface SlotRequest {
  /** Empty if no provider is called. */
  readonly provider: string;
  /** The conversation's owner, as `ownerKey` names it. */
  readonly owner: string;
  readonly bytes: number;
}

/** One reply's share of the process's limits. */
export interface ReplySlot {
  /** Sets the bytes that the reply uses. They may exceed the limit: then no other reply gets a slot. */
  resize(bytes: number): void;
  release(): void;
}

/** Limits the replies that a process writes at once: in total, for each provider, and for each owner at a provider. Also limits their bytes: in total, for each provider, and for each owner. */
export class ReplySlots {
  private count = 0;
  private bytes = 0;
  private readonly countOf = new Map<string, number>();
  private readonly bytesOf = new Map<string, number>();

  /** `callsAtOnce`: the concurrent calls that a process may make, by provider. It changes with the catalogue. */
  constructor(private readonly callsAtOnce: ReadonlyMap<string, number>) {}

  has({ provider, owner, bytes }: SlotRequest): boolean {
    if (this.count >= SLOTS_FOR_OTHERS && this.count >= Math.max(0, ...this.callsAtOnce.values()) + SLOTS_FOR_OTHERS) return false;
    // A question that exceeds the limit runs alone.
    if (this.count > 0 && this.bytes + bytes > BYTES_OF_REPLIES) return false;
    if (!this.hasBytes(provider, bytes, BYTES_OF_A_PROVIDER) || !this.hasBytes(keyOfOwner(owner), bytes, BYTES_OF_AN_OWNER)) return false;
    const most = this.callsAtOnce.get(provider) ?? SLOTS_FOR_OTHERS;
    if (valueOf(this.countOf, provider) >= most) return false;
    return valueOf(this.countOf, keyOf(provider, owner)) < Math.max(1, Math.floor(most * SHARE_OF_A_USER));
  }

  /** Null if there is no free slot. */
  take(wanted: SlotRequest): ReplySlot | null {
    if (!this.has(wanted)) return null;
    const { provider, owner } = wanted;
    let { bytes } = wanted;
    let isReleased = false;
    const count = (by: 1 | -1) => {
      this.count += by;
      add(this.countOf, provider, by);
      add(this.countOf, keyOf(provider, owner), by);
    };
    const addBytes = (more: number) => {
      this.bytes += more;
      add(this.bytesOf, provider, more);
      add(this.bytesOf, keyOfOwner(owner), more);
    };
    const resize = (now: number) => {
      // A model that ignores its signal may continue after the end of its reply.
      if (isReleased) return;
      addBytes(now - bytes);
      bytes = now;
    };
    count(1);
    addBytes(bytes);
    return {
      resize,
      release: () => {
        if (isReleased) return;
        resize(0);
        count(-1);
        isReleased = true;
      },
    };
  }

  private hasBytes(key: string, more: number, most: number): boolean {
    const used = valueOf(this.bytesOf, key);
    return used === 0 || used + more <= most;
  }
}

const valueOf = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0;

function add(counts: Map<string, number>, key: string, by: number): void {
  const now = valueOf(counts, key) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

/** The line break distinguishes it from the names of providers. */
const keyOfOwner = (owner: string): string => `\n${owner}`;
const keyOf = (provider: string, owner: string): string => `${provider}\n${owner}`;
