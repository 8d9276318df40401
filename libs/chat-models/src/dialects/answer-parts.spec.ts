import { describe, expect, it } from '@jest/globals';
import { AnswerParts, MOST_CALLS } from './answer-parts.ts';

describe('the parts of an answer', () => {
  it('have a limited number of calls, which may be open at the same time', () => {
    const parts = new AnswerParts();
    const begin = (nth: number) => parts.of({ type: 'tool-input-start', id: String(nth), toolName: 'weather' });
    for (let nth = 0; nth < MOST_CALLS; nth++) expect(begin(nth)).toHaveLength(1);
    expect(begin(0)).toEqual([]);
    expect(() => begin(MOST_CALLS)).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
  });
});
