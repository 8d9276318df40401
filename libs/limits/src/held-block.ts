/** A block in the memory of the process that borrowed it. It makes no call and reads no clock. */
export class HeldBlock {
  private left: number;
  private count = 0;
  private isCounted = true;
  private undecided = 0;

  /** `usableUntil` is a time of the process's monotonic clock, before the owner considers the block lost. */
  constructor(
    readonly id: string,
    amount: number,
    readonly usableUntil: number,
  ) {
    this.left = amount;
  }

  /** Whether the outcome of a take is not known yet. The block must not be closed while this is true. */
  get isUndecided(): boolean {
    return this.undecided > 0;
  }

  /** The number of uses, for the owner; null if it is unknown whether one of them happened. */
  get uses(): number | null {
    return this.isCounted ? this.count : null;
  }

  /** Takes an amount for one use. Returns null if not enough is left, or the block may no longer be used. */
  take(amount: number, now: number): Take | null {
    if (now >= this.usableUntil || amount > this.left) return null;
    this.left -= amount;
    this.count++;
    this.undecided++;
    let isOpen = true;
    const once = (end: () => void) => () => {
      if (!isOpen) return;
      isOpen = false;
      this.undecided--;
      end();
    };
    return {
      block: this.id,
      keep: once(() => undefined),
      giveBack: once(() => {
        this.left += amount;
        this.count--;
      }),
      doubt: once(() => (this.isCounted = false)),
    };
  }
}

/** One take from a block. Only the first call of its functions counts. */
export interface Take {
  readonly block: string;
  /** The use happened. */
  keep(): void;
  /** The use did not happen. */
  giveBack(): void;
  /** It is unknown whether the use happened. */
  doubt(): void;
}
