import { auditSearch, filtersOf, isReversed } from './audit-search.ts';

describe('filters of the audit log', () => {
  it('are read from an address, without unknown values', () =>
    expect(auditSearch({ action_type: 'create_bot', success: false, start_time: 'x', other: 1 })).toMatchObject({
      action_type: 'create_bot',
      success: false,
      start_time: undefined,
    }));
  it('have no window by default', () => expect(filtersOf({ user_id: 'u', noise: true, token: 't' })).toEqual({ user_id: 'u' }));
  it('have both ends of a window', () => {
    expect(filtersOf({ start_time: 100, noise: true })).toEqual({ start_time: 100, end_time: 253_402_300_799 });
    expect(filtersOf({ end_time: 100, noise: true })).toEqual({ start_time: 0, end_time: 100 });
  });
  it('cannot have a window that ends before it begins', () => {
    expect(isReversed(200, 100)).toBe(true);
    expect(isReversed(100, 100)).toBe(false);
    expect(isReversed(100, undefined)).toBe(false);
    expect(isReversed(undefined, 100)).toBe(false);
  });
  it('leave out noise by default', () => {
    expect(filtersOf({})).toEqual({ without_noise: true });
    expect(filtersOf({ noise: true })).toEqual({});
    expect(filtersOf({ action_type: 'refresh_session' })).toEqual({ action_type: 'refresh_session' });
  });
});
