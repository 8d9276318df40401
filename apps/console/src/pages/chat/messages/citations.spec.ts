import type { UsedChunk } from '@parlance/client/types';
import { citedIn } from './citations.ts';

const chunks = [1, 2, 12].map((rank) => ({ rank }) as UsedChunk);
const ranks = (text: string) => citedIn(text, chunks).map(({ rank }) => rank);

describe('the sources of a reply', () => {
  it('are those that its text refers to', () => expect(ranks('So it is[^12], and so[^2].')).toEqual([2, 12]));
  it('are all that it was written from, if it refers to none', () => expect(ranks('So it is.')).toEqual([1, 2, 12]));
});
