import { SHARE_OF_A_USER } from '@parlance/chat-models';

/** Places beside those of the provider with the most calls at once, so that a provider that hangs leaves places for replies of others. */
export const PLACES_FOR_OTHERS = 256;
/** Bytes of the questions and prompts of all replies in hand. */
export const BYTES_IN_HAND = 128 * 1024 * 1024;
/** Those of one provider, so that long prompts for a provider that hangs leave places for others … */
export const BYTES_OF_A_PROVIDER = (BYTES_IN_HAND * 7) / 8;
/** … and those of one holder, so that the long prompts of one user do. */
export const BYTES_OF_A_HOLDER = (BYTES_IN_HAND * 3) / 4;

/** The reply that a place is for. */
export interface Wanted {
  /** Empty where no provider is called. */
  readonly provider: string;
  /** Of the conversation, as `holderOf` names it. */
  readonly holder: string;
  readonly bytes: number;
}

/** The place of one reply. */
export interface Place {
  /** Sets the bytes to those that the reply holds. They may pass the bound: then no other reply gets a place. */
  resize(bytes: number): void;
  leave(): void;
}

/** The replies that one process may write at once: in all, of each provider, of each holder by a provider; and their bytes in all, of each provider and of each holder. */
export class Places {
  private count = 0;
  private bytes = 0;
  private readonly countOf = new Map<string, number>();
  private readonly bytesOf = new Map<string, number>();
  private readonly most: number;

  /** `callsAtOnce`: the calls that a process may make at once, by provider. */
  constructor(private readonly callsAtOnce: ReadonlyMap<string, number>) {
    this.most = Math.max(0, ...callsAtOnce.values()) + PLACES_FOR_OTHERS;
  }

  has({ provider, holder, bytes }: Wanted): boolean {
    if (this.count >= this.most) return false;
    // A question alone may be longer than any bound.
    if (this.count > 0 && this.bytes + bytes > BYTES_IN_HAND) return false;
    if (!this.hasBytes(provider, bytes, BYTES_OF_A_PROVIDER) || !this.hasBytes(holderKey(holder), bytes, BYTES_OF_A_HOLDER)) return false;
    const most = this.callsAtOnce.get(provider) ?? PLACES_FOR_OTHERS;
    if (of(this.countOf, provider) >= most) return false;
    return of(this.countOf, keyOf(provider, holder)) < Math.max(1, Math.floor(most * SHARE_OF_A_USER));
  }

  /** Null where there is none. */
  take(wanted: Wanted): Place | null {
    if (!this.has(wanted)) return null;
    const { provider, holder } = wanted;
    let { bytes } = wanted;
    let hasLeft = false;
    const count = (by: 1 | -1) => {
      this.count += by;
      add(this.countOf, provider, by);
      add(this.countOf, keyOf(provider, holder), by);
    };
    const hold = (more: number) => {
      this.bytes += more;
      add(this.bytesOf, provider, more);
      add(this.bytesOf, holderKey(holder), more);
    };
    const resize = (now: number) => {
      // A model that does not obey its signal may go on behind the end of its reply.
      if (hasLeft) return;
      hold(now - bytes);
      bytes = now;
    };
    count(1);
    hold(bytes);
    return {
      resize,
      leave: () => {
        if (hasLeft) return;
        resize(0);
        count(-1);
        hasLeft = true;
      },
    };
  }

  private hasBytes(key: string, more: number, most: number): boolean {
    const held = of(this.bytesOf, key);
    return held === 0 || held + more <= most;
  }
}

const of = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0;

function add(counts: Map<string, number>, key: string, by: number): void {
  const now = of(counts, key) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

/** No provider has such a name. */
const holderKey = (holder: string): string => `\n${holder}`;
const keyOf = (provider: string, holder: string): string => `${provider}\n${holder}`;
