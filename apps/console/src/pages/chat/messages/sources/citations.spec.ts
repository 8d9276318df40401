import type { UsedChunk } from '@parlance/client/types';
import { citedIn, numberOf } from './citations.ts';

const chunks = [1, 2, 12].map((rank) => ({ rank }) as UsedChunk);
const ranks = (text: string) => citedIn(text, chunks).map(({ rank }) => rank);

describe('the sources of a reply', () => {
  it('are those that its text refers to, in its order', () => expect(ranks('So it is[^12], and so[^2], and so[^12].')).toEqual([12, 2]));
  it('are numbered without gaps', () => {
    const cited = citedIn('So it is[^12], and so[^2].', chunks);
    expect(cited.map((chunk) => numberOf(cited, chunk))).toEqual([1, 2]);
  });
  it('are all that it was written from, if it refers to none', () => expect(ranks('So it is.')).toEqual([1, 2, 12]));
});
