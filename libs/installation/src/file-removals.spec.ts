import { expect, it } from '@jest/globals';
import { FileRemovals } from './file-removals.ts';

it('holds removals until each hold is released', async () => {
  const removals = new FileRemovals();
  const before = removals.allowed();
  const [release, releaseToo] = [removals.hold(), removals.hold()];
  const done: string[] = [];
  const removal = removals.allowed().then(() => done.push('removed'));
  await before;
  release();
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  releaseToo();
  await removal;
  await removals.allowed();
});
