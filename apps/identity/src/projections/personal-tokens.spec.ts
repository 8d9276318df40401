import { expect, it } from '@jest/globals';
import type { Cursor, Query, ReadModels } from '@parlance/read-models';
import { TokensThatCall } from './personal-tokens.ts';

it('a page of the tokens that may call a model ends after 10,000 tokens, and the next one continues', async () => {
  let read = 0;
  const tokenId = (at: number) => String(at).padStart(6, '0');
  const stored = Array.from({ length: 10_600 }, (_, at) => ({
    token_id: tokenId(at),
    expires_at: 1,
    terms: { models: [at < 10_500 ? 'large' : 'small'] },
  }));
  const find = async (_: unknown, { limit, after }: Query & { readonly after?: Cursor }) => {
    const from = after ? Number(after[0]) + 1 : 0;
    const rows = stored.slice(from, from + limit);
    read += rows.length;
    return { rows, next: from + rows.length < stored.length ? [rows.at(-1)!.token_id] : null };
  };
  const page = (after: string | null) => TokensThatCall.find({ find } as unknown as ReadModels, ['small'], 0, after, 200);
  const first = await page(null);
  expect([first.rows.length, first.next, read]).toEqual([0, tokenId(9_999), 10_000]);
  const second = await page(first.next);
  expect([second.rows.length, second.next, read]).toEqual([100, null, stored.length]);
});
