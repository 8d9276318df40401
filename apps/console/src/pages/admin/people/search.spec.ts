import { botSearch, costsSearch, usersFilter, usersSearch } from './search.ts';

/** Fields without a value are left out of the address. */
const present = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

describe('the address of the list of users', () => {
  it('keeps the filters, the sorting and the page', () => {
    const search = { prefix: 'ada', group: 'Admin', enabled: false, used: true, sort: 'email', order: 'asc', token: 't' };
    expect(present(usersSearch(search))).toEqual(search);
  });

  it('accepts a number as a text', () => expect(usersSearch({ prefix: 42 }).prefix).toBe('42'));

  it('leaves out values that are not allowed', () =>
    expect(present(usersSearch({ prefix: '', enabled: 'maybe', sort: 'password', order: 'up', other: 1 }))).toEqual({}));

  it('requests only disabled users, or only enabled ones', () => {
    expect(usersFilter({ enabled: false })).toEqual({ include_all: true, enabled: false });
    expect(usersFilter({ enabled: true })).toEqual({ include_all: true, enabled: true });
  });

  it('requests users without usage too, unless they are filtered out', () => {
    expect(usersFilter({})).toEqual({ include_all: true });
    expect(usersFilter({ used: true })).toEqual({ include_all: false });
  });

  it('leaves the page out of the conditions', () =>
    expect(usersFilter({ token: 't', sort: 'email' })).toEqual({ include_all: true, sort: 'email' }));
});

describe('the address of the costs', () => {
  it('has a month', () => expect(present(costsSearch({ month: '2026-11' }))).toEqual({ month: '2026-11' }));

  it('prefers a whole range to a month', () =>
    expect(present(costsSearch({ month: '2026-11', from: '2026-11-01', to: '2026-11-09' }))).toEqual({
      from: '2026-11-01',
      to: '2026-11-09',
    }));

  it('ignores half a range', () => expect(present(costsSearch({ month: '2026-11', from: '2026-11-01' }))).toEqual({ month: '2026-11' }));

  it.each(['2026-13', '2026-1', 'soon', 202611])('ignores %j, which is no month', (month) =>
    expect(present(costsSearch({ month }))).toEqual({}),
  );

  it.each(['2026-02-31', '2026-13-01', 'yesterday'])('ignores %j, which is no date', (from) =>
    expect(present(costsSearch({ from, to: '2026-12-31' }))).toEqual({}),
  );

  it('allows only the sizes of the choice', () => {
    expect(costsSearch({ top: 25 }).top).toBe('25');
    expect(costsSearch({ top: 26 }).top).toBeUndefined();
  });
});

describe('the address of the figures of a bot', () => {
  it('allows only the numbers of days of the choice', () => {
    expect(botSearch({ days: 90 }).days).toBe('90');
    expect(botSearch({ days: 91 }).days).toBeUndefined();
  });
});
