import type { Report } from './retry.ts';

/** The shortest time between two lines about a Kafka that does not answer. */
export const REPORT_EVERY_MS = 10_000;

/**
 * Passes on one line in ten seconds. kafkajs logs every attempt of every connection: thousands of lines a minute while Kafka is down. The next line has
 * the number of lines that were left out.
 */
export function steadily(report: Report, steady: () => number = () => performance.now()): Report {
  let [last, leftOut] = [Number.NEGATIVE_INFINITY, 0];
  return (message, details) => {
    const now = steady();
    if (now - last < REPORT_EVERY_MS) {
      leftOut++;
      return;
    }
    report(message, leftOut > 0 ? { ...details, left_out: leftOut } : details);
    [last, leftOut] = [now, 0];
  };
}
