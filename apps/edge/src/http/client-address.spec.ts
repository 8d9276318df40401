import { describe, expect, it } from '@jest/globals';
import { ClientAddress } from './client-address.ts';

describe('the address that a request is from', () => {
  const direct = new ClientAddress([]);
  const behind = new ClientAddress(['10.0.0.0/8', '::1']);

  it("is the socket's", () => expect(direct.of('203.0.113.9', undefined)).toBe('203.0.113.9'));
  it('is not what a client claims', () => expect(direct.of('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9'));
  it('is plain IPv4 where it was mapped', () => expect(direct.of('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9'));
  it('is what a trusted proxy says', () => expect(behind.of('10.1.1.1', '203.0.113.9')).toBe('203.0.113.9'));
  it('is the right-most that no trusted proxy has', () => expect(behind.of('::1', '1.1.1.1, 203.0.113.9, 10.2.2.2')).toBe('203.0.113.9'));
  it('is the last sound one when a hop is no address', () => expect(behind.of('10.1.1.1', '203.0.113.9, unknown')).toBe('10.1.1.1'));
  it('takes no octal for an address', () => expect(behind.of('10.1.1.1', '0203.0.113.9')).toBe('10.1.1.1'));
});
