import { newId } from '@parlance/event-store';
import type { LimitedKey } from './api-limits.ts';
import type { LimitCalls, UsageReport } from './limit-calls.ts';

/** A key's usage is reported at once after this many requests. A killed edge loses at most this many, or the requests of `LONGEST_MILLIS`. */
export const REPORTED_REQUESTS = 1_000;
/** Usage of a key that was idle for this long is reported. */
export const QUIET_MILLIS = 1_000;
/** Usage of a key in constant use is reported this often. Each report is an event that stays in the log. */
export const LONGEST_MILLIS = 10_000;
/** The most keys and hours that are counted while the publication service does not answer. Requests of further keys are not counted. */
export const MOST_COUNTED = 20_000;
const REPORTS_OF_A_CALL = 500;
const HOUR_MILLIS = 3_600_000;

interface Count {
  readonly keyId: string;
  readonly apiId: string;
  readonly hour: number;
  /** The times of the first and of the last request. */
  readonly since: number;
  time: number;
  requests: number;
  readonly counts: Record<string, number>;
}

const CLASSES = ['1xx', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Counts the requests with each key in the memory of this edge, and reports them. A report has a number, so a repeat is not counted twice. */
export class ApiUsage {
  private readonly holder = newId();
  /** The last count of each key. */
  private readonly counted = new Map<string, Count>();
  /** Counts of past hours, for keys that have a newer count. */
  private over: Count[] = [];
  private number = 0;
  /** Reports that may or may not have been recorded. They are resent unchanged. */
  private sent: UsageReport[] = [];
  private flushing: Promise<void> | null = null;

  constructor(
    private readonly calls: LimitCalls,
    private readonly now: () => number = Date.now,
  ) {}

  /** The number of counts that are not reported yet. */
  get size(): number {
    return this.sent.length + this.counted.size + this.over.length;
  }

  note({ keyId, apiId }: LimitedKey, status: number): void {
    const now = this.now();
    const hour = Math.floor(now / HOUR_MILLIS);
    const last = this.counted.get(keyId);
    let count = last;
    if (count?.hour !== hour) {
      if (this.counted.size + this.over.length >= MOST_COUNTED) return;
      if (last) this.over.push(last);
      // The new count goes to the end, because reports are sent in the order of their counts.
      this.counted.delete(keyId);
      count = { keyId, apiId, hour, since: now, time: now, requests: 0, counts: { '2xx': 0, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 } };
      this.counted.set(keyId, count);
    }
    const name = status === 429 ? '429' : (CLASSES[Math.floor(status / 100)] ?? '5xx');
    count.counts[name] = (count.counts[name] ?? 0) + 1;
    count.time = now;
    if (++count.requests === REPORTED_REQUESTS) this.flushDue().catch(() => undefined);
  }

  /** Reports all counts. Rejects if the publication service does not answer; the next flush continues. */
  flush(): Promise<void> {
    return this.flushIf(() => true);
  }

  /** Reports the keys that are due. Called by a timer. Rejects like `flush`. */
  flushDue(): Promise<void> {
    const now = this.now();
    // After the clock was set back, a count would otherwise be kept until the clock has caught up.
    const isDue = ({ since, time, requests }: Count) =>
      requests >= REPORTED_REQUESTS || now - time >= QUIET_MILLIS || now - since >= LONGEST_MILLIS || now < since;
    return this.flushIf(isDue);
  }

  /** Reports everything at a graceful shutdown, including what was counted while a report was in progress. Rejects like `flush`. */
  async stop(): Promise<void> {
    do await this.flush();
    while (this.size > 0);
  }

  private flushIf(isDue: (count: Count) => boolean): Promise<void> {
    return (this.flushing ??= this.report(isDue).finally(() => (this.flushing = null)));
  }

  private async report(isDue: (count: Count) => boolean): Promise<void> {
    if (this.sent.length === 0) this.freeze(isDue);
    while (this.sent.length > 0) {
      await this.calls.report(this.holder, this.sent.slice(0, REPORTS_OF_A_CALL));
      this.sent = this.sent.slice(REPORTS_OF_A_CALL);
    }
  }

  private freeze(isDue: (count: Count) => boolean): void {
    this.over = this.over.filter((count) => {
      const isOwed = isDue(count);
      if (isOwed) this.send(count);
      return !isOwed;
    });
    for (const count of this.counted.values()) {
      if (!isDue(count)) continue;
      this.counted.delete(count.keyId);
      this.send(count);
    }
  }

  private send({ keyId, apiId, time, counts }: Count): void {
    this.sent.push({ key_id: keyId, api_id: apiId, number: ++this.number, time: Math.floor(time / 1_000), counts });
  }
}
