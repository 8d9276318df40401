import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Tampered } from '../cipher.ts';
import { loadMasterKey } from './load-master-key.ts';
import { LocalMasterKey, type MasterKey, WrongMasterKey } from './master-key.ts';
import { KeyNotGranted, ServiceKey, serviceKeyText } from './service-key.ts';

const master = new LocalMasterKey(randomBytes(32));
const key = randomBytes(32);
const granted = (service: string, options = {}) => master.grant(service, ['page-tokens'], options);
const opens = (by: MasterKey, text: string) => expect(Buffer.from(by.unwrap(text, 'webhook:1'))).toEqual(key);

describe('the key of a service', () => {
  const bots = new ServiceKey(granted('bots'));
  const wrapped = bots.wrap(key, 'webhook:1');

  it('opens what it has wrapped, as the master key does', () => {
    opens(bots, wrapped);
    opens(master, wrapped);
  });

  it('opens no key of another service, of the master key, or under another name', () => {
    expect(() => new ServiceKey(granted('inference')).unwrap(wrapped, 'webhook:1')).toThrow(KeyNotGranted);
    expect(() => bots.unwrap(master.wrap(key, 'webhook:1'), 'webhook:1')).toThrow(KeyNotGranted);
    expect(() => bots.unwrap(wrapped, 'webhook:2')).toThrow(Tampered);
  });

  it('is recognised as the wrong one', () => {
    const other = new LocalMasterKey(randomBytes(32));
    expect(() => new ServiceKey(other.grant('bots', [])).unwrap(wrapped, 'webhook:1')).toThrow(WrongMasterKey);
    expect(() => other.unwrap(wrapped, 'webhook:1')).toThrow(WrongMasterKey);
  });

  it('opens and wraps keys as the master key does, for the service that stores the keys of users', () => {
    const identity = new ServiceKey(granted('identity', { keepsUserKeys: true }));
    opens(identity, master.wrap(key, 'webhook:1'));
    opens(master, identity.wrap(key, 'webhook:1'));
    expect(() => identity.unwrap(wrapped, 'webhook:1')).toThrow(KeyNotGranted);
  });

  it('adopts what the master key has wrapped, once', () => {
    const adopted = bots.adopt(master.wrap(key, 'webhook:1'), 'webhook:1', master);
    opens(bots, adopted);
    expect(bots.adopt(adopted, 'webhook:1', master)).toBe(adopted);
  });

  it('derives the same keys as the master key, for its purposes alone', () => {
    for (const length of [16, 32, 64])
      expect(Buffer.from(bots.derive('page-tokens', length))).toEqual(Buffer.from(master.derive('page-tokens', length)));
    for (const [purpose, length] of [['email-claims', 32] as const, ['page-tokens', 65] as const])
      expect(() => bots.derive(purpose, length)).toThrow(KeyNotGranted);
  });

  it('is loaded from its text, the same each time, and refused if the text is cut off', () => {
    const text = serviceKeyText(granted('bots'));
    expect(serviceKeyText(granted('bots'))).toBe(text);
    opens(loadMasterKey({ value: `${text}\n` }), wrapped);
    expect(() => loadMasterKey({ value: text.slice(0, -20) })).toThrow(/is not a complete service key/);
  });

  it('does not show its bytes in logs', () => {
    const shown = inspect(bots, { depth: 9, showHidden: true }) + JSON.stringify(bots);
    const { wrapping, purposes } = granted('bots');
    for (const bytes of [wrapping, ...Object.values(purposes)])
      for (const form of ['hex', 'base64', 'base64url'] as const) expect(shown).not.toContain(Buffer.from(bytes).toString(form));
    expect(shown).not.toMatch(/<Buffer|Uint8Array/);
  });
});
