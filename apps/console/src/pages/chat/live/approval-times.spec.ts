import { nextLook } from './approval-times.ts';
import { begun, type LiveReply } from './live-reply.ts';

const awaiting = (...times: (number | null)[]): LiveReply => ({
  ...begun('c'),
  phase: 'waiting',
  parts: times.map((expiresAt, index) => ({
    kind: 'tool',
    callId: String(index),
    name: 'writing',
    input: {},
    status: 'awaiting',
    result: null,
    expiresAt,
  })),
});

describe('a reply that waits for approvals', () => {
  it('is polled a few seconds after the first approval has expired', () => {
    expect(nextLook(awaiting(200, 100), 40_000)).toBe(65_000);
  });
  it('is polled with growing pauses while nothing changes on the server', () => {
    const reply = awaiting(100);
    expect([100_000, 110_000, 130_000, 900_000].map((now) => nextLook(reply, now))).toEqual([5_000, 10_000, 30_000, 60_000]);
  });
  it('is not polled immediately if an approval expires in more than 24 days', () => {
    expect(nextLook(awaiting(30 * 86_400), 0)).toBe(2 ** 31 - 1);
  });
  it('is polled soon if the time is unknown', () => {
    expect(nextLook(awaiting(null), 9_000)).toBe(5_000);
  });
});
