import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { maskedValue, mintApiKey, readApiKey } from './api-key-value.ts';

const keyId = newId();
const { value, hash, ending } = mintApiKey(keyId);

describe('the value of an API key', () => {
  it('has the ID, 260 random bits and a checksum', () => {
    expect(value).toMatch(new RegExp(`^prl_${keyId.toLowerCase()}[0-9a-hjkmnp-tv-z]{59}$`));
    expect(mintApiKey(keyId).value).not.toBe(value);
  });
  it('is stored as its SHA-256', () => {
    expect(hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(readApiKey(value)).toEqual({ keyId, hash });
  });
  it('shows only its beginning and its end when masked', () => {
    expect([maskedValue(keyId, ending), value.endsWith(ending)]).toEqual([`prl_${value.slice(4, 8)}…${value.slice(-4)}`, true]);
  });
  it('is refused without a look-up if any one character was changed', () => {
    const read = Array.from(value, (character, place) => {
      const other = character === '0' ? '1' : '0';
      return readApiKey(`${value.slice(0, place)}${other}${value.slice(place + 1)}`);
    });
    expect(read).toEqual(read.map(() => null));
  });
  it.each(['', 'prl_', value.slice(0, -1), `${value}0`, value.toUpperCase(), ` ${value}`, `${value}\n`])('is not valid as %j', (text) =>
    expect(readApiKey(text)).toBeNull(),
  );
});
