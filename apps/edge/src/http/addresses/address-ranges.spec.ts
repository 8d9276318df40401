import { describe, expect, it } from '@jest/globals';
import { AddressRanges } from './address-ranges.ts';

describe('ranges of addresses', () => {
  it.each<[string, string[], string[]]>([
    ['192.0.2.0/24', ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'], ['192.0.3.1', '::192.0.2.1', '2001:db8::c000:201']],
    ['198.51.100.7', ['198.51.100.7'], ['198.51.100.8']],
    ['2001:db8::/32', ['2001:db8:1::1', '2001:0DB8:0:0:0:0:0:1'], ['2001:db9::1', '32.1.13.184']],
    ['::ffff:1.2.3.0/120', ['1.2.3.4', '::ffff:102:304', '0:0:0:0:0:ffff:102:304'], ['1.2.4.1', '::1.2.3.4', '::102:304']],
    ['::ffff:102:304/128', ['1.2.3.4'], ['1.2.3.5']],
    ['0:0:0:0:0:FFFF:1.2.3.4/128', ['1.2.3.4'], ['1.2.3.5']],
    ['::ffff:0:0/96', ['1.2.3.4', '255.255.255.255', '::ffff:1.2.3.4'], ['::1', '2001:db8::1']],
    ['0.0.0.0/0', ['1.2.3.4', '::ffff:102:304'], ['::1', '2001:db8::1']],
    ['::/0', ['::1', '2001:db8::1'], ['1.2.3.4', '::ffff:1.2.3.4']],
    ['::ffff:0:0/64', ['::1', '::1:2:3:4'], ['1.2.3.4', '2001:db8::1']],
  ])('of %s contain %j and not %j', (range, inside, outside) => {
    const ranges = new AddressRanges([range]);
    expect(inside.filter((address) => !ranges.include(address))).toEqual([]);
    expect(outside.filter((address) => ranges.include(address))).toEqual([]);
  });

  const everything = new AddressRanges(['0.0.0.0/0', '::/0']);
  it.each([
    '',
    'localhost',
    '0192.0.2.1',
    '192.0.2.01',
    '0300.0.2.1',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.2',
    '192.0.2.1 ',
    '::ffff:192.0.2.010',
  ])('never include %j, which is not an address', (text) => expect(everything.include(text)).toBe(false));
  it.each(['fe80::1%eth0', '::1%lo', '::ffff:192.0.2.1%1'])('never include %s, because its zone is local to a host', (text) =>
    expect(everything.include(text)).toBe(false),
  );
  it('report whether they are empty', () => expect([everything.isEmpty, new AddressRanges([]).isEmpty]).toEqual([false, true]));
});
