import { describe, expect, it } from '@jest/globals';
import { canonicalRange } from '@parlance/http';
import { canonicalOrigin } from './origin.ts';

describe('a range of addresses', () => {
  it.each([
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['192.0.2.77', '192.0.2.77/32'],
    ['255.255.255.255/0', '0.0.0.0/0'],
    ['10.128.3.4/9', '10.128.0.0/9'],
    ['2001:DB8::ABCD/32', '2001:db8::/32'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.77/120', '192.0.2.0/24'],
    ['::FFFF:c000:24d', '192.0.2.77/32'],
    ['::ffff:192.0.2.77/64', '::/64'],
  ])('%s is kept as %s', (text, canonical) => {
    expect(canonicalRange(text)).toBe(canonical);
    expect(canonicalRange(canonical)).toBe(canonical);
  });
  it.each(['', '192.0.2', '192.0.2.1/33', '192.0.2.1/08', '192.0.2.1/-1', '1.2.3.4/5/6', '::/129', '::1%lo', 'localhost', '01.2.3.4'])(
    'is not %j',
    (text) => expect(canonicalRange(text)).toBeNull(),
  );
});

describe('an origin', () => {
  it.each([
    ['*', '*'],
    ['https://Shop.Example.org', 'https://shop.example.org'],
    ['https://shop.example.org/', 'https://shop.example.org'],
    ['https://shop.example.org:443', 'https://shop.example.org'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is kept as %s', (text, canonical) => expect(canonicalOrigin(text)).toBe(canonical));
  it.each([
    '',
    'null',
    'shop.example.org',
    'ftp://example.org',
    'https://',
    'https://a/b',
    'https://a?b',
    'https://u:p@a',
    'https://*.example.org',
    'https://a:99999',
    '**',
  ])('is not %j', (text) => expect(canonicalOrigin(text)).toBeNull());
});
