import { describe, expect, it } from '@jest/globals';
import { type Candidate, fuse } from './fusion.ts';

const side = (...ids: readonly string[]): Candidate[] => ids.map((id, index) => ({ id, parent: null, score: 100 - index }));
const idsOf = (ranked: readonly { candidate: Candidate }[]) => ranked.map(({ candidate: { id } }) => id);

describe('fusing two sides', () => {
  it('puts what both sides found before what one side found', () =>
    expect(idsOf(fuse('hybrid', { lexical: side('a', 'both'), vector: side('b', 'both') }, 3))).toEqual(['both', 'a', 'b']));

  it('gives 1 to the first of both sides', () =>
    expect(fuse('hybrid', { lexical: side('a'), vector: side('a') }, 1)).toMatchObject([{ score: 1, lexicalRank: 1, vectorRank: 1 }]));

  it('fuses the best hundred of each side only', () => {
    const many = Array.from({ length: 150 }, (_, index) => `l${String(index).padStart(3, '0')}`);
    const beyond = fuse('hybrid', { lexical: side(...many), vector: side('v', 'l120') }, 50).find(
      ({ candidate }) => candidate.id === 'l120',
    );
    expect(beyond).toMatchObject({ lexicalRank: null, vectorRank: 2 });
  });

  it('keeps the scores of a single side', () =>
    expect(fuse('lexical', { lexical: side('a', 'b'), vector: [] }, 2).map(({ score }) => score)).toEqual([100, 99]));

  it('fills the places of collapsed children with others', () => {
    const children = [
      { id: 'a', parent: 'p', score: 3 },
      { id: 'b', parent: 'p', score: 2 },
      { id: 'c', parent: 'q', score: 1 },
    ];
    expect(idsOf(fuse('lexical', { lexical: children, vector: [] }, 2))).toEqual(['a', 'c']);
  });
});
