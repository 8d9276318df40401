import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Hmac } from './hmac.ts';

describe('HMAC-SHA256', () => {
  it('equals the result of node:crypto for any key and message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
        expect(new Hmac(key).digest(message).equals(createHmac('sha256', key).update(message).digest())).toBe(true);
      }),
    );
  });

  it('reads texts as UTF-8', () => {
    expect(new Hmac(Buffer.from('k')).digest('größe').equals(createHmac('sha256', 'k').update('größe').digest())).toBe(true);
  });
});
