import { expect, it } from '@jest/globals';
import { RetentionRounds } from './retention-rounds.ts';

it('a rule is continued after 100 items that fail, although they fail in each round', async () => {
  const rows = Array.from({ length: 400 }, (_, nth) => nth);
  const rule = { kind: 'conversations', isEnabled: true, scope: { appliesTo: 'all' }, inactiveDays: 30 };
  const removed: number[] = [];
  async function* pages() {
    for (let from = 0; from < rows.length; from += 40) yield rows.slice(from, from + 40);
  }
  const parts = [
    { conversations: pages, responses: async function* () {} },
    { load: async () => ({ rules: { r: rule } }) },
    {
      expireBy: async (_: string, row: number) => {
        if (row < 300) throw new Error(`damaged ${row}`);
        removed.push(row);
      },
    },
    {},
    {},
    { stop: () => undefined },
  ];
  const rounds = new (RetentionRounds as unknown as new (...given: unknown[]) => RetentionRounds)(...parts);
  const errors: number[] = [];
  for (let round = 0; round < 4; round++)
    await rounds.deleteInactive().catch((error: AggregateError) => void errors.push(error.errors.length));
  expect([removed.at(0), removed.at(-1), Math.max(...errors)]).toEqual([300, 399, 10]);
});
