import { jest } from '@jest/globals';
import { instantOf, localTime, secondsOf } from './local-time.ts';

describe('instants of fields', () => {
  it('are in UTC, without a fraction', () => expect(instantOf('2026-11-23T09:30Z')).toBe('2026-11-23T09:30:00Z'));
  it('are in the time zone of the browser', () =>
    expect(Date.parse(instantOf('2026-11-23T09:30')!)).toBe(new Date(2026, 10, 23, 9, 30).getTime()));
  it('are null for an empty field', () => expect(instantOf('')).toBeNull());
});

describe('times of fields', () => {
  it('keep the minute that was entered', () => {
    const entered = '2026-11-23T09:30';
    expect(localTime(secondsOf(entered))).toBe(entered);
  });
  it('are shown in the time zone of the browser', () => {
    const offset = jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-90);
    expect(localTime(1_795_392_000)).toBe('2026-11-23T01:30');
    offset.mockRestore();
  });
  it('are undefined for an empty field', () => expect([secondsOf(''), localTime(undefined)]).toEqual([undefined, '']));
});
