import { describe, expect, it } from '@jest/globals';
import { eraseEach } from './erasing.ts';

describe('erasing page by page', () => {
  it('ends when nothing more is found', async () => {
    const left = ['a', 'b', 'c'];
    await eraseEach(
      async () => left.slice(0, 2),
      async (id) => void left.splice(left.indexOf(id), 1),
    );
    expect(left).toEqual([]);
  });
  it('is refused for now when what was erased is still found', async () => {
    const erased: string[] = [];
    const erasing = eraseEach(
      async () => ['a'],
      async (id) => void erased.push(id),
    );
    await expect(erasing).rejects.toMatchObject({ kind: 'unavailable', code: 'erasure_incomplete' });
    expect(erased).toEqual(['a']);
  });
});
