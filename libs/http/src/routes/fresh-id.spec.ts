import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { derivedId } from './fresh-id.ts';
import { isUlid } from './query.ts';

describe('an ID derived from another', () => {
  const id = newId();
  it('is an ID with the same timestamp', () => {
    expect(isUlid(derivedId(id, 'conversation'))).toBe(true);
    expect(derivedId(id, 'conversation').slice(0, 10)).toBe(id.slice(0, 10));
  });
  it('is the same each time', () => expect(derivedId(id, 'conversation')).toBe(derivedId(id, 'conversation')));
  it('differs for another purpose and for another ID', () =>
    expect(new Set([id, derivedId(id, 'conversation'), derivedId(id, 'message'), derivedId(newId(), 'conversation')]).size).toBe(4));
});
