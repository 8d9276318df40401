import { auditSearch, filtersOf } from './audit-search.ts';

describe('filters of the audit log', () => {
  it('reads them from an address, and leaves out what it does not know', () =>
    expect(auditSearch({ action_type: 'create_bot', success: false, start_time: 'x', other: 1 })).toMatchObject({
      action_type: 'create_bot',
      success: false,
      start_time: undefined,
    }));
  it('sends no window without one', () => expect(filtersOf({ user_id: 'u', token: 't' })).toEqual({ user_id: 'u' }));
  it('sends both ends of a window', () => {
    expect(filtersOf({ start_time: 100 })).toEqual({ start_time: 100, end_time: 253_402_300_799 });
    expect(filtersOf({ end_time: 100 })).toEqual({ start_time: 0, end_time: 100 });
  });
});
