/** A block in the memory of the process that borrowed it. It makes no call and reads no clock. */
export class HeldBlock {
  private left: number;
  private count = 0;
  private isCounted = true;
  private undecided = 0;
  /** Called when the uses of a retired block can cost less than before. */
  private onShrink: ((most: number) => void) | null = null;

  /** `usableUntil` is a time of the process's monotonic clock, before the owner considers the block lost. */
  constructor(
    readonly id: string,
    private readonly amount: number,
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

  /** No further takes. `onShrink` gets the most that the uses can cost together, now and later, when it is less than the block. */
  retire(onShrink: (most: number) => void): void {
    this.onShrink = onShrink;
    if (this.left > 0) onShrink(this.amount - this.left);
  }

  private free(amount: number): void {
    this.left += amount;
    if (amount > 0) this.onShrink?.(this.amount - this.left);
  }

  /** Takes an amount for one use. Returns null if not enough is left, or the block may no longer be used. */
  take(amount: number, now: number): Take | null {
    if (now >= this.usableUntil || this.onShrink || amount > this.left) return null;
    this.left -= amount;
    this.count++;
    this.undecided++;
    let isOpen = true;
    let isKept = false;
    const once = (end: () => void) => () => {
      if (!isOpen) return;
      isOpen = false;
      this.undecided--;
      end();
    };
    return {
      block: this.id,
      keep: once(() => void (isKept = true)),
      giveBack: once(() => {
        this.count--;
        this.free(amount);
      }),
      doubt: once(() => (this.isCounted = false)),
      settle: (spent) => {
        if (!isKept) return;
        isKept = false;
        this.free(amount - spent);
      },
    };
  }
}

/** One take from a block. Only the first call of the first three functions counts. */
export interface Take {
  readonly block: string;
  /** The use happened. */
  keep(): void;
  /** The use did not happen. */
  giveBack(): void;
  /** It is unknown whether the use happened. */
  doubt(): void;
  /** The use has ended, and its final cost is recorded. The rest of the amount can be used again. Only after `keep`, and only the first call counts. */
  settle(spent: number): void;
}
