import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CallEnd, LONGEST_PAUSE_MILLIS, MOST_FAILURES, TargetHealth } from './target-health.ts';

const LONGEST_BUSY_MILLIS = 100_000;
const end = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<CallEnd>('answered', 'failed', 'unusable', 'left') },
  {
    weight: 1,
    arbitrary: fc.record({ busyMillis: fc.option(fc.integer({ min: 0, max: LONGEST_BUSY_MILLIS })), hasFailed: fc.boolean() }),
  },
);
const step = fc.oneof(
  fc.record({ type: fc.constant('begin' as const) }),
  fc.record({ type: fc.constant('end' as const), which: fc.nat(), end }),
  fc.record({ type: fc.constant('later' as const), millis: fc.integer({ min: 0, max: 10_000 }) }),
);

describe('the health of a target', () => {
  const starting = () => {
    let now = 0;
    const health = new TargetHealth(() => now);
    return { health, later: (millis: number) => (now += millis), now: () => now };
  };
  const failing = (times: number, how: CallEnd = 'failed') => {
    const world = starting();
    for (let index = 0; index < times; index++) world.health.begin()(how);
    return world;
  };

  it('is good until some calls in a row have failed', () => {
    expect(failing(MOST_FAILURES - 1).health.isUsable).toBe(true);
    expect(failing(MOST_FAILURES).health.isUsable).toBe(false);
    const { health } = failing(MOST_FAILURES - 1);
    health.begin()('answered');
    for (let index = 1; index < MOST_FAILURES; index++) health.begin()('failed');
    expect(health.isUsable).toBe(true);
  });
  it('is bad at once if its configuration is wrong', () => expect(failing(1, 'unusable').health.isUsable).toBe(false));
  it('does not depend on callers who leave', () => expect(failing(9, 'left').health.isUsable).toBe(true));
  it('is tried by one call after a pause, which doubles until it answers', () => {
    const { health, later } = failing(MOST_FAILURES);
    for (const millis of [5_000, 10_000, 20_000, 40_000, LONGEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS]) {
      later(millis - 1);
      expect(health.isUsable).toBe(false);
      later(1);
      expect(health.isUsable).toBe(true);
      const endTrial = health.begin();
      expect(health.isUsable).toBe(false);
      endTrial('failed');
    }
    later(LONGEST_PAUSE_MILLIS);
    health.begin()('answered');
    expect(health.isUsable).toBe(true);
  });
  it('refuses calls until the time that the provider has named, at most for a minute', () => {
    const { health, later } = failing(1, { busyMillis: 7_000, hasFailed: true });
    expect(health.refuses).toBe(true);
    later(7_000);
    expect(health.refuses).toBe(false);
    health.begin()({ busyMillis: 1e9 });
    later(LONGEST_PAUSE_MILLIS);
    expect([health.refuses, health.isUsable]).toEqual([false, false]);
    expect([failing(9).health.refuses, failing(1, { busyMillis: null }).health.refuses]).toEqual([false, false]);
  });
  it('keeps the time that the provider has named when it refuses another call without one', () => {
    const { health, later } = failing(1, { busyMillis: 7_000 });
    health.begin()({ busyMillis: null });
    health.begin()({ busyMillis: 1_000 });
    later(6_999);
    expect(health.refuses).toBe(true);
    later(1);
    expect(health.refuses).toBe(false);
  });
  it('has another trial if the caller of the first one leaves', () => {
    const { health, later } = failing(MOST_FAILURES);
    later(5_000);
    health.begin()('left');
    expect(health.isUsable).toBe(true);
  });
  it('counts calls that began before the pause once', () => {
    const { health, later } = starting();
    const ends = Array.from({ length: 100 }, () => health.begin());
    for (const endCall of ends) endCall('failed');
    expect(health.pausedMillis).toBe(5_000);
    later(5_000);
    expect(health.isUsable).toBe(true);
  });
  it('is bad after some failures whose pauses were shorter', () => {
    const { health } = failing(MOST_FAILURES - 1, { busyMillis: 0, hasFailed: true });
    expect(health.isUsable).toBe(true);
    health.begin()({ busyMillis: 0, hasFailed: true });
    expect(health.pausedMillis).toBe(5_000);
    expect(failing(9, { busyMillis: 0 }).health.isUsable).toBe(true);
  });
  it('follows Retry-After, whatever answers arrive meanwhile', () => {
    const { health, later } = starting();
    const older = health.begin();
    health.begin()({ busyMillis: 30_000 });
    older('answered');
    later(29_999);
    expect(health.isUsable).toBe(false);
    later(1);
    expect(health.isUsable).toBe(true);
  });

  it('in any order of events has one trial at a time, uses no pause, and recovers', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const { health, later, now } = starting();
        const open: { readonly endCall: (how: CallEnd) => void; readonly isTrial: boolean }[] = [];
        let failures = 0;
        let pausedUntil = 0;
        for (const each of steps) {
          if (each.type === 'later') later(each.millis);
          else if (each.type === 'begin' && health.isUsable) {
            expect(now()).toBeGreaterThanOrEqual(pausedUntil);
            const isTrial = failures >= MOST_FAILURES;
            if (isTrial) expect(open.filter((other) => other.isTrial)).toEqual([]);
            open.push({ endCall: health.begin(), isTrial });
          } else if (each.type === 'end' && open.length > 0) {
            const [call] = open.splice(each.which % open.length, 1);
            const isPaused = health.pausedMillis > 0;
            call!.endCall(each.end);
            if (each.end === 'answered') failures = 0;
            else if (!isPaused && (typeof each.end === 'object' ? each.end.hasFailed : each.end !== 'left'))
              failures = each.end === 'unusable' ? Math.max(failures + 1, MOST_FAILURES) : failures + 1;
            pausedUntil = now() + health.pausedMillis;
          }
          // A trial that is open when another call answers is one no more.
          if (failures < MOST_FAILURES) open.forEach((call, index) => (open[index] = { ...call, isTrial: false }));
        }
        for (const { endCall } of open) endCall('left');
        later(Math.max(LONGEST_PAUSE_MILLIS, LONGEST_BUSY_MILLIS));
        expect(health.isUsable).toBe(true);
        health.begin()('answered');
        expect(health.isUsable).toBe(true);
      }),
    ));
});
