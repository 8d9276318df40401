import { describe, expect, it } from '@jest/globals';
import { bounded, type Found, MOST_CONTENT } from './retrieval.ts';

const found = (content: string, rank: number): Found => ({
  id: `c${rank}`,
  content,
  content_type: 'text',
  source: 'a.txt',
  source_name: 'a.txt',
  source_id: 's',
  page_number: null,
  heading: null,
  rank,
  score: 1,
});

describe('the results of a search', () => {
  it('stay as they are while they fit', () => {
    const results = [found('one', 1), found('x'.repeat(MOST_CONTENT - 3), 2)];
    expect(bounded(results)).toEqual(results);
  });
  it('are cut where they do not fit any more, and later ones are left out', () => {
    const lengths = bounded([found('x'.repeat(MOST_CONTENT - 2), 1), found('four', 2), found('five', 3)]).map(({ content }) => content);
    expect([lengths.length, lengths[1]]).toEqual([2, 'fo']);
  });
  it('are not cut within a character', () => {
    const [, last] = bounded([found('x'.repeat(MOST_CONTENT - 3), 1), found('a🧭🧭', 2)]);
    expect(last!.content).toBe('a🧭');
    expect(bounded([found('x'.repeat(MOST_CONTENT - 2), 1), found('a🧭', 2)])[1]!.content).toBe('a');
  });
});
