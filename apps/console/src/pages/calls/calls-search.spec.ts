import { callsSearch, filtersOf, isFiltered, secondsOfHour } from './calls-search.ts';

describe('filters of calls', () => {
  it('are read from an address, without unknown values', () =>
    expect(callsSearch({ model: 'gpt', status: 'new', start_time: -1, other: 1, token: 'page' })).toEqual({ model: 'gpt', token: 'page' }));

  it('are sent under their names of the API, without the page', () =>
    expect(filtersOf({ token_id: 't', tag: 'app:a', token: 'page' })).toEqual({ token: 't', tag: 'app:a' }));

  it('have both ends of a window, as hours in UTC', () => {
    const start_time = Date.parse('2026-11-29T06:59:00Z') / 1_000;
    expect(filtersOf({ start_time })).toMatchObject({ start: '2026112906', end: '9999123123' });
    expect(filtersOf({ end_time: start_time })).toMatchObject({ start: '2000010100', end: '2026112906' });
    expect(filtersOf({ start_time: 0, end_time: Number.MAX_SAFE_INTEGER })).toMatchObject({ start: '2000010100', end: '9999123123' });
    expect(secondsOfHour('2026112906')).toBe(Date.parse('2026-11-29T06:00:00Z') / 1_000);
  });

  it('are not the page', () => {
    expect(isFiltered(callsSearch({ token: 'page' }))).toBe(false);
    expect(isFiltered(callsSearch({ tag: 'app' }))).toBe(true);
  });
});
