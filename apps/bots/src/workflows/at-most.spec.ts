import { describe, expect, it } from '@jest/globals';
import { atMost } from './at-most.ts';

const taken = async (total: number, most: number) => {
  let read = 0;
  async function* items() {
    for (; read < total; read++) yield read;
  }
  const all: (number | string)[] = [];
  for await (const item of atMost(items(), most, (beyond) => `no ${beyond}`)) all.push(item);
  return { all, read };
};

describe('at most', () => {
  it('returns all items up to the maximum', async () => {
    expect(await taken(3, 3)).toEqual({ all: [0, 1, 2], read: 3 });
  });
  it('replaces the remaining items by one notice, without reading them', async () => {
    expect(await taken(1_000_000, 3)).toEqual({ all: [0, 1, 2, 'no 3'], read: 3 });
  });
});
