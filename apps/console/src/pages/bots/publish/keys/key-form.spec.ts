import { bodyOf, dateOf, expiryOf, isExpired, NEW_KEY } from './key-form.ts';

describe('the fields of an API key', () => {
  it('make a key that does not expire and has no limit of addresses, if they are empty', () =>
    expect(bodyOf({ ...NEW_KEY, description: ' Web site ' })).toEqual({ description: 'Web site' }));

  it('take addresses from lines', () =>
    expect(bodyOf({ ...NEW_KEY, ranges: '203.0.113.0/24\n\n2001:db8::/32 ' }).allowed_ip_ranges).toEqual([
      '203.0.113.0/24',
      '2001:db8::/32',
    ]));

  it('let a key work to the end of the day', () => {
    const at = new Date(expiryOf('2027-03-01')! * 1_000);
    expect([at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]).toEqual([1, 23, 59, 59]);
  });

  it('show the day on which a key expires', () => {
    expect(dateOf(expiryOf('2027-03-01'))).toBe('2027-03-01');
    expect([dateOf(null), expiryOf('')]).toEqual(['', null]);
  });

  it('show whether a key has expired', () =>
    expect([isExpired({ expires_at: 10 }, 10_000), isExpired({ expires_at: 11 }, 10_000), isExpired({ expires_at: null }, 10_000)]).toEqual(
      [true, false, false],
    ));
});
