import { describe, expect, it } from '@jest/globals';
import { AddressRanges } from './address-ranges.ts';

describe('ranges of addresses', () => {
  const ranges = new AddressRanges(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32']);

  it.each(['192.0.2.1', '198.51.100.7', '2001:db8:1::1'])('include %s', (address) => expect(ranges.include(address)).toBe(true));
  it.each(['192.0.3.1', '198.51.100.8', '2001:db9::1', '', 'localhost', '0192.0.2.1', '2001:db8::1%eth0'])('do not include %j', (address) =>
    expect(ranges.include(address)).toBe(false),
  );
  it('say when there are none', () => expect([ranges.isEmpty, new AddressRanges([]).isEmpty]).toEqual([false, true]));
});
