import { SLICE_MILLIS } from './limits.ts';
import { DocumentReaderBusy } from './reader-failures.ts';

/** A file's request for a turn. */
export interface TurnRequest {
  /** The account whose turn is used. Waiting accounts get equal time, regardless of the number and the size of their files. */
  readonly account: string;
  /** Among equally entitled accounts, smaller files go first. */
  readonly bytes: number;
  readonly isLarge: boolean;
  readonly signal: AbortSignal;
  /** The longest wait. */
  readonly waitMillis?: number | undefined;
}

/** A file's permission to be read. */
export interface Turn {
  /** Whether the file may continue after it turned out to be large. False if small files wait for its slot. */
  mayBeLarge(): boolean;
  end(): void;
}

interface Waiting extends TurnRequest {
  /** The fairness clock when the wait started, so that accounts that arrive later cannot stay ahead forever. */
  readonly since: number;
  readonly begin: () => void;
}

/** How long all files of an account count as large after one of them had to give up a slot for small files. */
const DISTRUST_MILLIS = 60_000;

const MIB = 1024 * 1024;

/**
 * Distributes slots among files. With two or more slots, one is reserved for small files. The next account is the one that has worked least since
 * others started to wait (start-time fair queueing): the clock advances to the start of each turn, and a turn moves the next start of its
 * account.
 */
export class Turns {
  private readonly places: number;
  private readonly largePlaces: number;
  private readonly now: () => number;
  private readonly waiting: Waiting[] = [];
  /** The earliest start of the next turn, by account. */
  private readonly starts = new Map<string, number>();
  /** Until when files of an account count as large. */
  private readonly distrusted = new Map<string, number>();
  private clock = 0;
  private working = 0;
  private largeWorking = 0;

  constructor(places: number, now: () => number = () => performance.now()) {
    this.places = places;
    this.largePlaces = Math.max(1, places - 1);
    this.now = now;
  }

  /** Rejects with `DocumentReaderBusy`, or with the signal's reason. */
  async next(asked: TurnRequest): Promise<Turn> {
    asked.signal.throwIfAborted();
    const request = { ...asked, isLarge: asked.isLarge || (this.distrusted.get(asked.account) ?? 0) > this.now() };
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        settle();
        reject(reason as Error);
      };
      const abort = () => leave(request.signal.reason);
      const { waitMillis } = request;
      const tooLong = () => leave(new DocumentReaderBusy('Other files are being read.'));
      const timer = waitMillis === undefined ? undefined : setTimeout(tooLong, waitMillis);
      const settle = () => {
        clearTimeout(timer);
        request.signal.removeEventListener('abort', abort);
      };
      const begin = () => {
        settle();
        resolve();
      };
      const entry: Waiting = { ...request, since: this.clock, begin };
      request.signal.addEventListener('abort', abort, { once: true });
      this.waiting.push(entry);
      this.fill();
    });
    return this.turnOf(request);
  }

  private turnOf({ account, isLarge: wasLarge }: TurnRequest): Turn {
    const began = this.now();
    let isLarge = wasLarge;
    return {
      mayBeLarge: () => {
        if (isLarge) return true;
        if (this.largeWorking >= this.largePlaces) {
          if (!this.waiting.some((other) => !other.isLarge)) return true;
          this.distrusted.set(account, this.now() + DISTRUST_MILLIS);
          return false;
        }
        isLarge = true;
        this.largeWorking++;
        this.fill();
        return true;
      },
      end: () => {
        this.working--;
        if (isLarge) this.largeWorking--;
        // One slice was counted when the turn started.
        this.starts.set(account, (this.starts.get(account) ?? this.clock) + this.now() - began - SLICE_MILLIS);
        this.fill();
        this.forget();
      },
    };
  }

  /** Forgets accounts whose state equals a new one. */
  private forget(): void {
    for (const [account, until] of this.distrusted) if (until <= this.now()) this.distrusted.delete(account);
    if (this.working === 0) this.starts.clear();
    for (const [account, start] of this.starts) if (start <= this.clock) this.starts.delete(account);
  }

  private fill(): void {
    while (this.working < this.places) {
      const next = this.largest() ?? this.first(({ isLarge }) => !isLarge);
      if (!next) return;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.working++;
      if (next.isLarge) this.largeWorking++;
      const start = this.claimOf(next);
      this.clock = Math.max(this.clock, start);
      this.starts.set(next.account, start + SLICE_MILLIS);
      next.begin();
    }
  }

  /** Waiting large files go first until the slots for large files are in use. The remaining slot is always left to small files. */
  private largest(): Waiting | undefined {
    if (this.places === 1) return this.first(() => true);
    return this.largeWorking < this.largePlaces ? this.first(({ isLarge }) => isLarge) : undefined;
  }

  private first(isWanted: (waiting: Waiting) => boolean): Waiting | undefined {
    let first: Waiting | undefined;
    for (const waiting of this.waiting) if (isWanted(waiting) && (!first || this.orderOf(waiting) < this.orderOf(first))) first = waiting;
    return first;
  }

  private claimOf({ account, since }: Waiting): number {
    return Math.max(since, this.starts.get(account) ?? 0);
  }

  private orderOf(waiting: Waiting): number {
    return this.claimOf(waiting) + Math.min(SLICE_MILLIS, (waiting.bytes / MIB) * SLICE_MILLIS);
  }
}
