import { describe, expect, it } from '@jest/globals';
import type { Part } from '../providers/provider-model.ts';
import { AnswerParts, MOST_BLOCKS } from './answer-parts.ts';

const text: Part = { type: 'text-delta', id: '0', delta: 'x' };
const reasoning: Part = { type: 'reasoning-delta', id: '0', delta: 'x' };
const call = (nth: number): Part => ({ type: 'tool-input-start', id: String(nth), toolName: 'weather' });

describe('the parts of an answer', () => {
  it.each<[string, (nth: number) => Part]>([
    ['calls', call],
    ['texts and reasoning in turn', (nth) => (nth % 2 === 0 ? text : reasoning)],
  ])('have a limited number of %s', (_, part) => {
    const parts = new AnswerParts();
    for (let nth = 0; nth < MOST_BLOCKS; nth++) expect(parts.of(part(nth))).toHaveLength(1);
    expect(() => parts.of(part(MOST_BLOCKS))).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
  });
  it('have any number of pieces of one text', () => {
    const parts = new AnswerParts();
    for (let nth = 0; nth <= MOST_BLOCKS; nth++) expect(parts.of(text)).toHaveLength(1);
  });
});
