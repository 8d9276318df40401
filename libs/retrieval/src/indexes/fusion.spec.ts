import { describe, expect, it } from '@jest/globals';
import { type Candidate, fuse } from './fusion.ts';

const side = (...ids: readonly string[]): Candidate[] => ids.map((id, index) => ({ id, parent: null, score: 100 - index }));
const idsOf = (ranked: readonly { candidate: Candidate }[]) => ranked.map(({ candidate: { id } }) => id);

describe('fusing two result lists', () => {
  it('ranks results of both lists before results of one list', () =>
    expect(idsOf(fuse('hybrid', { lexical: side('a', 'both'), vector: side('b', 'both') }, 3))).toEqual(['both', 'a', 'b']));

  it('scores 1 for the first result of both lists', () =>
    expect(fuse('hybrid', { lexical: side('a'), vector: side('a') }, 1)).toMatchObject([{ score: 1, lexicalRank: 1, vectorRank: 1 }]));

  it('fuses only the best hundred of each list', () => {
    const many = Array.from({ length: 150 }, (_, index) => `l${String(index).padStart(3, '0')}`);
    const beyond = fuse('hybrid', { lexical: side(...many), vector: side('v', 'l120') }, 50).find(
      ({ candidate }) => candidate.id === 'l120',
    );
    expect(beyond).toMatchObject({ lexicalRank: null, vectorRank: 2 });
  });

  it('keeps the scores of a single list', () =>
    expect(fuse('lexical', { lexical: side('a', 'b'), vector: [] }, 2).map(({ score }) => score)).toEqual([100, 99]));

  it('replaces collapsed children with further results', () => {
    const children = [
      { id: 'a', parent: 'p', score: 3 },
      { id: 'b', parent: 'p', score: 2 },
      { id: 'c', parent: 'q', score: 1 },
    ];
    expect(idsOf(fuse('lexical', { lexical: children, vector: [] }, 2))).toEqual(['a', 'c']);
  });
});
