import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { type Attempt, attempted, restarted, type Delivery, GAPS_MILLIS, MOST_TRIES } from './delivery.ts';

const now = Instant.ofMillis(1_000_000);
const delivery: Delivery = {
  webhook_id: 'w',
  id: 'e',
  n: 1,
  source: 'bots',
  stream: 'bot-1',
  sequence: '1.0',
  event_type: 't',
  event_time: '2026-01-01T00:00:00Z',
  status: 'pending',
  tries: 0,
  next_at: now,
  last_at: null,
  last_status: null,
  last_error: null,
  last_millis: null,
  ended_at: null,
};
const answered = (status: number | null, retryAfterMillis: number | null = null): Attempt => ({
  status,
  error: status === 200 ? null : 'No.',
  retryAfterMillis,
  millis: 3,
});
const after = (tries: number, attempt: Attempt, random = 0) => attempted({ ...delivery, tries }, attempt, now, random);

describe('a try', () => {
  it('ends the delivery when it succeeds', () =>
    expect(after(3, answered(200))).toMatchObject({ status: 'delivered', tries: 4, next_at: null, ended_at: now, last_millis: 3 }));
  it.each(GAPS_MILLIS.map((gap, tries) => [tries, gap] as const))('after %d failures is repeated after %d ms', (tries, gap) => {
    expect(after(tries, answered(500))).toMatchObject({ status: 'pending', tries: tries + 1, next_at: Number(now) + gap, ended_at: null });
    expect(after(tries, answered(null), 0.5).next_at).toBe(Number(now) + gap * 1.1);
  });
  it.each([
    [199, 'pending'],
    [200, 'delivered'],
    [299, 'delivered'],
    [300, 'pending'],
  ])('with status %d leaves the delivery %s', (status, becomes) =>
    expect(after(0, { ...answered(status), error: null }).status).toBe(becomes),
  );
  it('is the last one after the maximum number of tries', () =>
    expect(after(MOST_TRIES - 1, answered(500))).toMatchObject({ status: 'dead', tries: MOST_TRIES, next_at: null, ended_at: now }));
  it('is the last one if the endpoint is gone', () => expect(after(0, answered(410))).toMatchObject({ status: 'dead', tries: 1 }));
  it('is repeated as late as the endpoint requests, within a day', () => {
    const pause = (asked: number) => Number(after(0, answered(429, asked)).next_at) - now;
    expect([pause(60_000), pause(1), pause(1e12)]).toEqual([60_000, GAPS_MILLIS[0], 24 * 60 * 60_000]);
  });
});

it('a delivery starts again with all its tries', () =>
  expect(restarted(after(MOST_TRIES - 1, answered(500)), 7, now)).toMatchObject({
    status: 'pending',
    tries: 0,
    n: 7,
    next_at: now,
    ended_at: null,
  }));
