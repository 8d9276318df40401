import { expect, it } from '@jest/globals';
import type { Parlance } from '@parlance/client';
import { guideBotId } from './guide-bot.ts';

const apiWith = (get: () => Promise<unknown>) => ({ get }) as unknown as Parlance['api'];
const pinned = (...titles: string[]) => apiWith(async () => ({ bots: titles.map((title) => ({ id: `id of ${title}`, title })) }));

it('finds the guide among the pinned bots', async () => {
  expect(await guideBotId(pinned('Travel', 'Parlance Guide'))).toBe('id of Parlance Guide');
});
it('finds nothing if there is no guide', async () => expect(await guideBotId(pinned('Travel'))).toBeNull());
it('does not stop the first run when the bots cannot be listed', async () => {
  expect(await guideBotId(apiWith(async () => Promise.reject(new Error('down'))))).toBeNull();
});
