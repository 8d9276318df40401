/** The weight of the newest measurement. */
const WEIGHT = 0.3;
/** After this time without a call, half of the value is left. */
const HALF_LIFE_MILLIS = 60_000;

/** An average in which new measurements count more. It fades while there are no calls, so that a slow target is tried again at times. */
export class FadingAverage {
  private average: number | null = null;
  private at = 0;

  constructor(private readonly now: () => number) {}

  /** Null before the first measurement. */
  get value(): number | null {
    return this.average === null ? null : this.average * 2 ** ((this.at - this.now()) / HALF_LIFE_MILLIS);
  }

  add(measured: number): void {
    this.average = this.average === null ? measured : this.average + WEIGHT * (measured - this.average);
    this.at = this.now();
  }

  /** A call begins. Until it is measured, the value is as it was, so that not all calls try the target again. */
  begin(): void {
    this.at = this.now();
  }
}
