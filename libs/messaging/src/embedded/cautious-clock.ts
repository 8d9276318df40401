/** A wall clock and a monotonic clock, both in milliseconds. */
export interface TwoClocks {
  now(): number;
  steady(): number;
}

/** A clock that decides when to drop events that a group may still need. It must be read regularly. */
export class CautiousClock {
  readonly #clock: TwoClocks;
  readonly #afterMs: number;
  /** The times of the last `afterMs`, by both clocks. */
  readonly #times: { readonly wall: number; readonly steady: number }[] = [];

  constructor(clock: TwoClocks, afterMs: number) {
    this.#clock = clock;
    this.#afterMs = afterMs;
    this.now();
  }

  /** The time; null for `afterMs` after the start, while groups join again. If the wall clock is set forward, the change is ignored for `afterMs`. */
  now(): number | null {
    const [wall, steady] = [this.#clock.now(), this.#clock.steady()];
    this.#times.push({ wall, steady });
    while (this.#times[1] && steady - this.#times[1].steady >= this.#afterMs) this.#times.shift();
    const oldest = this.#times[0]!;
    return steady - oldest.steady < this.#afterMs ? null : Math.min(wall, oldest.wall + steady - oldest.steady);
  }
}
