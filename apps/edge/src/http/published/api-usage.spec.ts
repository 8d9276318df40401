import { beforeEach, describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import type { LimitedKey } from './api-limits.ts';
import { ApiUsage, LONGEST_MILLIS, MOST_COUNTED, QUIET_MILLIS, REPORTED_REQUESTS } from './api-usage.ts';
import { LimitCalls, type UsageReport } from './limit-calls.ts';

const HOUR = 3_600_000;

class Recorder extends LimitCalls {
  isAway = false;
  readonly sent: UsageReport[][] = [];
  override borrow(): never {
    throw new Error('not here');
  }
  override async report(_: string, reports: readonly UsageReport[]): Promise<void> {
    this.sent.push([...reports]);
    if (this.isAway) throw refuse('unavailable', 'service_unavailable', 'The service publication cannot be reached now.');
  }
}

describe('the usage of API keys', () => {
  let recorder: Recorder;
  let now: number;
  let usage: ApiUsage;
  beforeEach(() => {
    recorder = new Recorder();
    now = 100 * HOUR;
    usage = new ApiUsage(recorder, () => now);
  });
  const key = (keyId = 'k1'): LimitedKey => ({ keyId, botId: 'b', apiId: 'a', throttle: { rate_limit: 1, burst_limit: 1 }, quota: null });

  it('is counted by key, hour and class of status', async () => {
    for (const status of [200, 202, 301, 400, 404, 429, 500, 503]) usage.note(key(), status);
    usage.note(key('k2'), 200);
    now += HOUR;
    usage.note(key(), 200);
    await usage.flush();
    expect(recorder.sent).toEqual([
      [
        { key_id: 'k1', api_id: 'a', number: 1, time: 360_000, counts: { '2xx': 2, '3xx': 1, '4xx': 2, '429': 1, '5xx': 2 } },
        { key_id: 'k2', api_id: 'a', number: 2, time: 360_000, counts: { '2xx': 1, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 } },
        { key_id: 'k1', api_id: 'a', number: 3, time: 363_600, counts: { '2xx': 1, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0 } },
      ],
    ]);
  });
  it('is not reported if there is none', async () => {
    await usage.flush();
    usage.note(key(), 200);
    await usage.flush();
    await usage.flush();
    expect(recorder.sent).toHaveLength(1);
  });
  it('is reported again with the same numbers if a report may be lost, and later requests are reported after it', async () => {
    recorder.isAway = true;
    usage.note(key(), 200);
    await expect(usage.flush()).rejects.toThrow('reached');
    usage.note(key(), 404);
    recorder.isAway = false;
    await usage.flush();
    await usage.flush();
    expect(recorder.sent[1]).toEqual(recorder.sent[0]);
    expect(recorder.sent[2]).toMatchObject([{ number: 2, counts: { '2xx': 0, '4xx': 1 } }]);
  });
  it('is reported when a key is briefly idle, and at intervals for a key in constant use', async () => {
    const reported: string[] = [];
    usage.note(key('quiet'), 200);
    for (let millis = 0; millis < LONGEST_MILLIS + QUIET_MILLIS; millis += 100) {
      usage.note(key('busy'), 200);
      const before = recorder.sent.length;
      await usage.flushDue();
      for (const report of recorder.sent.slice(before).flat()) reported.push(`${report.key_id} after ${millis}: ${report.counts['2xx']}`);
      now += 100;
    }
    expect(reported).toEqual([`quiet after ${QUIET_MILLIS}: 1`, `busy after ${LONGEST_MILLIS}: 101`]);
  });
  it('is reported after the clock was set back', async () => {
    usage.note(key(), 200);
    now -= HOUR;
    await usage.flushDue();
    expect(recorder.sent).toHaveLength(1);
  });
  it('is reported at once after a number of requests, for that key alone', () => {
    usage.note(key('other'), 200);
    for (let n = 0; n < REPORTED_REQUESTS - 1; n++) usage.note(key(), 200);
    expect(recorder.sent).toHaveLength(0);
    usage.note(key(), 200);
    expect(recorder.sent.flat().map(({ key_id }) => key_id)).toEqual(['k1']);
  });
  it('is kept in bounded memory while it cannot be reported, and is reported in calls of bounded size', async () => {
    recorder.isAway = true;
    for (let n = 0; n < MOST_COUNTED + 10; n++) usage.note(key(`k${n}`), 200);
    recorder.isAway = false;
    await usage.flush().catch(() => undefined);
    while (recorder.sent.flat().length < MOST_COUNTED) await usage.flush();
    expect(Math.max(...recorder.sent.map((reports) => reports.length))).toBe(500);
    expect(new Set(recorder.sent.flat().map(({ number }) => number)).size).toBe(MOST_COUNTED);
  });
});
