import { expect, it } from '@jest/globals';
import { EndOwnExportsWhenTheyExpire } from './end-own-exports-when-they-expire.ts';

it('exports that always fail do not block expired ones after them, and are retried', async () => {
  const taken: string[] = [];
  const pages = new Map([
    [null, { rows: ['broken'], next: 'behind' }],
    ['behind', { rows: ['whole'], next: null }],
  ]);
  const queries = { execute: async ({ args: [, after] }: { args: [number, string | null] }) => pages.get(after as never) };
  const exports = {
    expire: async (row: string) => {
      taken.push(row);
      if (row === 'broken') throw new Error('the object store refuses the file');
    },
  };
  const parts = [queries, exports, {}, { now: () => 0 }];
  const policy = new (EndOwnExportsWhenTheyExpire as unknown as new (...its: object[]) => EndOwnExportsWhenTheyExpire)(...parts);
  for (let round = 0; round < 3; round++) await policy.end().catch((error: unknown) => expect(error).toBeInstanceOf(AggregateError));
  expect(taken).toEqual(['broken', 'whole', 'broken']);
});
