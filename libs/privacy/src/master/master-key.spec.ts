import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Tampered } from '../cipher.ts';
import { LocalMasterKey, WrongMasterKey } from './master-key.ts';

const bytes = randomBytes(32);
const master = new LocalMasterKey(bytes);
const key = randomBytes(32);

describe('a master key', () => {
  it('wraps a key and unwraps it again', () => expect(Buffer.from(master.unwrap(master.wrap(key)))).toEqual(key));
  it('wraps the same key differently each time', () => expect(master.wrap(key)).not.toBe(master.wrap(key)));
  it('is recognised as the wrong one', () =>
    expect(() => new LocalMasterKey(randomBytes(32)).unwrap(master.wrap(key))).toThrow(WrongMasterKey));
  it('does not unwrap a key under another name', () => expect(() => master.unwrap(master.wrap(key, 'user:1'), 'user:2')).toThrow(Tampered));
  it('does not unwrap a changed text', () => {
    const text = master.wrap(key);
    for (let at = text.lastIndexOf('.') + 1; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
      expect(() => master.unwrap(changed)).toThrow(Tampered);
    }
  });
  it.each(['', 'm1', 'm1.x', 'm2.a.b', 'm1.a.b.c'])('does not unwrap %j', (text) => expect(() => master.unwrap(text)).toThrow(Error));
  it('derives the same key for the same purpose at every start', () =>
    expect(new LocalMasterKey(bytes).derive('page tokens')).toEqual(master.derive('page tokens')));
  it('derives other keys for other purposes and lengths', () => {
    expect(master.derive('page tokens')).not.toEqual(master.derive('callers'));
    expect(master.derive('page tokens', 64)).toHaveLength(64);
  });
  it('does not show its bytes in logs', () => {
    const shown = inspect(master, { depth: 9, showHidden: true }) + JSON.stringify(master);
    for (const form of ['hex', 'base64', 'base64url'] as const) expect(shown).not.toContain(bytes.toString(form));
    expect(shown).not.toContain('<Buffer');
  });
  it('has 32 bytes', () => expect(() => new LocalMasterKey(randomBytes(16))).toThrow(TypeError));
});
