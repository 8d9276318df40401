import { describe, expect, it } from '@jest/globals';
import type { Encoding } from '../../adapters/console-files.ts';
import { acceptedOf } from './accepted-encoding.ts';

const of = (...encodings: Encoding[]) => encodings.map((encoding) => ({ encoding, bytes: Buffer.alloc(0), etag: '""' }));
const all = of('br', 'gzip', null);

describe('the encoding of an answer', () => {
  it.each<[string | undefined, Encoding]>([
    [undefined, null],
    ['', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br ; q=0.8 , gzip ; q=0.8', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['identity', null],
    ['identity, br;q=0.9', null],
    ['br;q=0.9, identity;q=0.1', 'br'],
    ['br;q=0, gzip;q=0, identity;q=0', null],
    ['br;q=2', null],
    ['br;q=abc, gzip;q=0.001', 'gzip'],
    ['deflate, zstd', null],
    [`${'a,'.repeat(5_000)}br`, 'br'],
  ])('for Accept-Encoding %j is %p', (header, expected) => expect(acceptedOf(all, header).encoding).toBe(expected));

  it('is always one that the file has', () => {
    expect(acceptedOf(of(null), 'br, gzip').encoding).toBeNull();
    expect(acceptedOf(of('gzip', null), 'br, gzip;q=0.1').encoding).toBe('gzip');
  });
});
