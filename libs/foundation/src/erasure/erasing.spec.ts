import { describe, expect, it } from '@jest/globals';
import { refuse } from '@parlance/decider';
import { eraseEach, eraseInSteps } from './erasing.ts';

describe('erasing page by page', () => {
  it('ends when no more IDs are found', async () => {
    const left = ['a', 'b', 'c'];
    await eraseEach(
      async () => left.slice(0, 2),
      async (id) => void left.splice(left.indexOf(id), 1),
    );
    expect(left).toEqual([]);
  });
  it('is refused as incomplete while an erased ID is still found', async () => {
    const erased: string[] = [];
    const erasing = eraseEach(
      async () => ['a'],
      async (id) => void erased.push(id),
    );
    await expect(erasing).rejects.toMatchObject({ kind: 'unavailable', code: 'erasure_incomplete' });
    expect(erased).toEqual(['a']);
  });
  it('erases all others when one cannot be erased, and rejects with its ID', async () => {
    const left = ['damaged', 'b', 'c', 'd'];
    const erasing = eraseEach(
      async () => left.slice(0, 2),
      async (id) => {
        if (id === 'damaged') throw new SyntaxError('no JSON');
        left.splice(left.indexOf(id), 1);
      },
    );
    await expect(erasing).rejects.toThrow('not erased: damaged');
    expect(left).toEqual(['damaged']);
  });
  it('ends at once when the store is unavailable', async () => {
    const tried: string[] = [];
    const erasing = eraseEach(
      async () => ['a', 'b'],
      async (id) => {
        tried.push(id);
        throw refuse('unavailable', 'away', 'Away.');
      },
    );
    await expect(erasing).rejects.toMatchObject({ code: 'away' });
    expect(tried).toEqual(['a']);
  });
});

describe('erasing in steps', () => {
  it('runs all steps, and rejects with the failures of some', async () => {
    const done: number[] = [];
    const erasing = eraseInSteps(
      async () => void done.push(1),
      async () => {
        throw new Error('not erased: damaged');
      },
      async () => void done.push(3),
    );
    await expect(erasing).rejects.toThrow('the erasure of a user is not complete: not erased: damaged');
    expect(done).toEqual([1, 3]);
  });
});
