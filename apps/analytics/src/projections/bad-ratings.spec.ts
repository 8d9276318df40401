import { expect, it } from '@jest/globals';
import type { Cursor, Query, ReadModels } from '@parlance/read-models';
import { BadRatingsOfBot, MOST_SEARCHED } from './bad-ratings.ts';

it('a page of bad ratings ends after 20,000 ratings, and the next one continues', async () => {
  let read = 0;
  const stored = Array.from({ length: MOST_SEARCHED + 700 }, (_, at) => ({ reply_id: `r${at}`, thumbs_up: at < MOST_SEARCHED + 600 }));
  const find = async (_: unknown, { limit, after }: Query & { readonly after?: Cursor }) => {
    const from = after ? Number(after[0]) : 0;
    const rows = stored.slice(from, from + limit);
    read += rows.length;
    return { rows, next: from + rows.length < stored.length ? [from + rows.length] : null };
  };
  const page = (after: Cursor | null) =>
    BadRatingsOfBot.find({ find } as unknown as ReadModels, 'guide', '2026-01-01', '2026-02-01', 100, after);
  const first = await page(null);
  expect([first.ratings.length, read]).toEqual([0, MOST_SEARCHED]);
  const second = await page(first.next);
  expect([second.ratings.length, second.next, read]).toEqual([100, null, stored.length]);
});
