import type { Report } from './share.ts';

/** A share in the memory of the process that has it. It makes no call and reads no clock. */
export class HeldShare {
  private granted = 0;
  private used = 0;
  private returned = 0;
  /** Taken, and not known yet whether it is a use. */
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

  /** Takes one. False if nothing is left. Each take needs one `keep` or `giveBack`. */
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

  /** `total`: all that was ever lent. An answer that comes late has a lower one. */
  lent(total: number): void {
    this.granted = Math.max(this.granted, total);
  }

  /** Keeps at most so much for uses to come. The rest is no longer used, and the next report says so. */
  keepOnly(amount: number): void {
    this.returned += Math.max(0, this.available - amount);
  }
}
