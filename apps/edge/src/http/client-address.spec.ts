import { describe, expect, it } from '@jest/globals';
import { ClientAddress } from './client-address.ts';

describe('the address that a request is from', () => {
  const direct = new ClientAddress([]);
  const behind = new ClientAddress(['10.0.0.0/8', '::1']);

  it("is the socket's", () => expect(direct.of('203.0.113.9', undefined)).toBe('203.0.113.9'));
  it('is not what a client claims', () => expect(direct.of('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9'));
  it.each(['::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:cb00:7109', '0000:0000:0000:0000:0000:ffff:203.0.113.9'])(
    'is plain IPv4 where it was mapped: %s',
    (mapped) => {
      expect(direct.of(mapped, undefined)).toBe('203.0.113.9');
      expect(behind.of('::ffff:10.1.1.1', mapped)).toBe('203.0.113.9');
    },
  );
  it('is what a trusted proxy says', () => expect(behind.of('10.1.1.1', '203.0.113.9')).toBe('203.0.113.9'));
  it('is the right-most that no trusted proxy has', () => expect(behind.of('::1', '1.1.1.1, 203.0.113.9, 10.2.2.2')).toBe('203.0.113.9'));
  it('is the last sound one when a hop is no address', () => expect(behind.of('10.1.1.1', '203.0.113.9, unknown')).toBe('10.1.1.1'));
  it.each(['0203.0.113.9', '0xcb.0.113.9', '3405803785', '203.0.113', '::ffff:0203.0.113.9', 'fe80::1%eth0', '203.0.113.9:80', '[::1]'])(
    'takes %s for no address',
    (hop) => expect(behind.of('10.1.1.1', hop)).toBe('10.1.1.1'),
  );
});
