import { describe, expect, it } from '@jest/globals';
import { eventOf } from '../test/contract/harness.ts';
import { onceName } from './inbox.ts';

describe('onceName', () => {
  const event = eventOf('parlance.bots', 'bot', 1);
  it('is the same for a repeat', () => expect(onceName('reserve', { ...event, time: 'later' })).toBe(onceName('reserve', event)));
  it('differs from handler to handler', () => expect(onceName('notify', event)).not.toBe(onceName('reserve', event)));
  it('differs from source to source', () => expect(onceName('reserve', { ...event, source: '/b' })).not.toBe(onceName('reserve', event)));
});
