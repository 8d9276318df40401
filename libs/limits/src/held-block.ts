/** A block in the memory of the process that holds it. It makes no call and reads no clock. */
export class HeldBlock {
  private left: number;
  private count = 0;
  private isCounted = true;
  private undecided = 0;

  /** `usableUntil`: on the holder's own clock that never steps back, and before the owner takes the block for lost. */
  constructor(
    readonly id: string,
    amount: number,
    readonly usableUntil: number,
  ) {
    this.left = amount;
  }

  /** Whether it is not decided yet of some takes whether they are uses. The block is not closed before. */
  get isUndecided(): boolean {
    return this.undecided > 0;
  }

  /** How often it was used, for the owner; null if a use may or may not have happened. */
  get uses(): number | null {
    return this.isCounted ? this.count : null;
  }

  /** Takes an amount for one use. Answers null if there is not enough left, or the block may no longer be used. */
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

/** One use of a block. The first call of its functions decides. */
export interface Take {
  readonly block: string;
  /** The use happened. */
  keep(): void;
  /** The use did not happen. */
  giveBack(): void;
  /** It is not known whether the use happened. */
  doubt(): void;
}
