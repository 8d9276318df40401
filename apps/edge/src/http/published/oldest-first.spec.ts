import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OldestFirst } from './oldest-first.ts';

it('items are in the order in which they were added, whichever are deleted', () => {
  const step = fc.record({ item: fc.nat(6), isAdded: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const items = new OldestFirst<number>();
      const expected = new Set<number>();
      for (const { item, isAdded } of steps) {
        if (isAdded) items.add(item);
        else items.delete(item);
        if (isAdded) expected.add(item);
        else expected.delete(item);
        expect(items.oldest).toBe([...expected][0]);
      }
      for (const item of expected) {
        expect(items.oldest).toBe(item);
        items.delete(item);
      }
      expect(items.oldest).toBeUndefined();
    }),
  );
});
