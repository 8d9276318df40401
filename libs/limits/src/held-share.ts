import type { Report } from './share.ts';

/** A share in the memory of the process that borrowed it. It makes no call and reads no clock. */
export class HeldShare {
  private granted = 0;
  private used = 0;
  private returned = 0;
  /** Takes whose outcome is not known yet. */
  private open = 0;

  get available(): number {
    return this.granted - this.used - this.returned - this.open;
  }

  /** Takes that are neither kept nor given back. */
  get undecided(): number {
    return this.open;
  }

  get report(): Report {
    return { used: this.used, returned: this.returned };
  }

  /** Takes one use. False if nothing is left. Each take needs one `keep` or `giveBack`. */
  take(): boolean {
    if (this.available < 1) return false;
    this.open++;
    return true;
  }

  keep(): void {
    this.open--;
    this.used++;
  }

  giveBack(): void {
    this.open--;
  }

  /** `total` is everything that was ever lent. A late answer has a lower total, and is ignored. */
  lent(total: number): void {
    this.granted = Math.max(this.granted, total);
  }

  /** Keeps at most this amount for further uses. The next report returns the rest. */
  keepOnly(amount: number): void {
    this.returned += Math.max(0, this.available - amount);
  }
}
