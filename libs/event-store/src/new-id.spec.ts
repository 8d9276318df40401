import { describe, expect, it } from '@jest/globals';
import { newId } from './new-id.ts';

describe('ids', () => {
  const ids = Array.from({ length: 20_000 }, newId);

  it('are ULIDs', () => expect(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true));
  it('are all different', () => expect(new Set(ids).size).toBe(ids.length));
  it('sort in the order they were made', () => expect(ids.toSorted()).toEqual(ids));
});
