import { describe, expect, it } from '@jest/globals';
import { fold, Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { keyUse, type KeyUseCommand, type KeyUseEvent, MOST_REPORTERS, type UsageReport } from './key-use.ts';

const given = specify(keyUse);
const at = (minutes: number) => Instant.ofMillis(minutes * 60_000);
const report = (holder: string, number: number, minutes = number): UsageReport => ({
  holder,
  number,
  botId: 'b',
  apiId: 'a',
  hour: at(0),
  counts: { '2xx': 3, '3xx': 0, '4xx': 1, '429': 2, '5xx': 0 },
  at: at(minutes),
});
const record = (...args: Parameters<typeof report>): KeyUseCommand => ({ type: 'Record', report: report(...args) });
const recorded = (...args: Parameters<typeof report>): KeyUseEvent => ({ type: 'ApiUsageRecorded', ...report(...args) });

describe('the use of an API key', () => {
  it('is recorded with its numbers', () => given().when(record('e1', 1)).emits(recorded('e1', 1)));
  it('is recorded once for a report that is repeated', () => given(recorded('e1', 1)).when(record('e1', 1)).emits());
  it('is not recorded again for a late copy of an earlier report', () =>
    given(recorded('e1', 1), recorded('e1', 2)).when(record('e1', 1)).emits());
  it('is recorded for the next report', () => given(recorded('e1', 1)).when(record('e1', 2)).emits(recorded('e1', 2)));
  it('is recorded for another edge', () => given(recorded('e1', 1)).when(record('e2', 1)).emits(recorded('e2', 1)));
  it('has the latest time as its last use, in whatever order reports arrive', () =>
    expect(fold(keyUse, [recorded('e1', 1, 9), recorded('e2', 1, 4), { type: 'ApiKeyUsed', at: at(2) }]).last).toBe(at(9)));
  it('remembers only a bounded number of the latest edges', () => {
    const { reports } = fold(
      keyUse,
      Array.from({ length: MOST_REPORTERS + 8 }, (_, n) => recorded(`e${n}`, 1, n)),
    );
    expect([Object.keys(reports!).length, reports!['e7'], reports!['e8']]).toEqual([MOST_REPORTERS, undefined, { number: 1, at: at(8) }]);
  });
});
