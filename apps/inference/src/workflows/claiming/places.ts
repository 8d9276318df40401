import { SHARE_OF_A_USER } from '@parlance/chat-models';

/** Places beside those of the provider with the most calls at once, so that a provider that hangs leaves places for replies of others. */
export const PLACES_FOR_OTHERS = 256;
/** Bytes of the questions and prompts of all replies in hand. */
export const BYTES_IN_HAND = 128 * 1024 * 1024;

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

/** The replies that one process may write at once: in all, of each provider, of each holder by a provider, and their bytes. */
export class Places {
  private count = 0;
  private bytes = 0;
  private readonly countOf = new Map<string, number>();
  private readonly most: number;

  /** `callsAtOnce`: the calls that a process may make at once, by provider. */
  constructor(private readonly callsAtOnce: ReadonlyMap<string, number>) {
    this.most = Math.max(0, ...callsAtOnce.values()) + PLACES_FOR_OTHERS;
  }

  has({ provider, holder, bytes }: Wanted): boolean {
    if (this.count >= this.most) return false;
    // A question alone may be longer than any bound.
    if (this.count > 0 && this.bytes + bytes > BYTES_IN_HAND) return false;
    const most = this.callsAtOnce.get(provider) ?? PLACES_FOR_OTHERS;
    if (this.of(provider) >= most) return false;
    return this.of(keyOf(provider, holder)) < Math.max(1, Math.floor(most * SHARE_OF_A_USER));
  }

  /** Null where there is none. */
  take(wanted: Wanted): Place | null {
    if (!this.has(wanted)) return null;
    const { provider, holder } = wanted;
    let { bytes } = wanted;
    let hasLeft = false;
    const count = (by: 1 | -1) => {
      this.count += by;
      this.add(provider, by);
      this.add(keyOf(provider, holder), by);
    };
    const resize = (now: number) => {
      // A model that does not obey its signal may go on behind the end of its reply.
      if (hasLeft) return;
      this.bytes += now - bytes;
      bytes = now;
    };
    count(1);
    this.bytes += bytes;
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

  private of(key: string): number {
    return this.countOf.get(key) ?? 0;
  }

  private add(key: string, by: number): void {
    const now = this.of(key) + by;
    if (now === 0) this.countOf.delete(key);
    else this.countOf.set(key, now);
  }
}

const keyOf = (provider: string, holder: string): string => `${provider}\n${holder}`;
