import { refuse } from '@parlance/decider';
import type { Verdict } from '../projections/audit-verification.ts';

/** How long a request waits. This is less than the time limit of an answer, 30 s. */
const LONGEST_WAIT = 20_000;
/** How long an outcome is kept for the next request. */
const KEPT = 10 * 60_000;

/**
 * A verification that may take longer than the time limit of an answer. One runs at a time, and all requests share it. It continues after a
 * request was refused for now, and the next request gets its outcome.
 */
export class LongVerification {
  private running: Promise<Verdict> | null = null;

  constructor(
    private readonly verify: () => Promise<Verdict>,
    private readonly longestWait = LONGEST_WAIT,
  ) {}

  /** Throws the refusal `verification_running` (unavailable). */
  async outcome(): Promise<Verdict> {
    const running = (this.running ??= this.begin());
    const { promise: waited, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, this.longestWait, null);
    try {
      const verdict = await Promise.race([running, waited]);
      if (verdict === null)
        throw refuse('unavailable', 'verification_running', 'The audit log is being verified. Repeat the request to get the result.', {
          retry_after: 10,
        });
      this.end(running);
      return verdict;
    } finally {
      clearTimeout(timer);
    }
  }

  private begin(): Promise<Verdict> {
    const running = this.verify();
    running.then(
      () => setTimeout(() => this.end(running), KEPT).unref(),
      () => this.end(running),
    );
    return running;
  }

  private end(running: Promise<Verdict>): void {
    if (this.running === running) this.running = null;
  }
}
