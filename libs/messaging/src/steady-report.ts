import type { Report } from './retry.ts';

/** The shortest time between two lines about a Kafka that does not answer. */
export const REPORT_EVERY_MS = 10_000;

/**
 * Passes on one line in ten seconds, of all reports together. kafkajs logs every attempt of every connection: thousands of lines a minute while Kafka is
 * down. The next line has the number of lines that were left out.
 */
export class SteadyReports {
  readonly #steady: () => number;
  #last = Number.NEGATIVE_INFINITY;
  #leftOut = 0;

  constructor(steady: () => number = () => performance.now()) {
    this.#steady = steady;
  }

  of(report: Report): Report {
    return (message, details) => {
      const now = this.#steady();
      if (now - this.#last < REPORT_EVERY_MS) {
        this.#leftOut++;
        return;
      }
      report(message, this.#leftOut > 0 ? { ...details, left_out: this.#leftOut } : details);
      [this.#last, this.#leftOut] = [now, 0];
    };
  }
}
