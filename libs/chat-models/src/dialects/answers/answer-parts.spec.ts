import { describe, expect, it } from '@jest/globals';
import type { Part } from '../../providers/provider-model.ts';
import { type AnswerPart, AnswerParts, CollectedParts, LONGEST_WHOLE, MOST_BLOCKS } from './answer-parts.ts';

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
  it('have the input of a call that arrives as a whole, and only the rest of one that has arrived in pieces', () => {
    const whole: Part = { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: '{"city":"Bern"}' };
    const parts = new AnswerParts();
    expect(parts.of(whole)).toEqual([
      { type: 'call', id: 'a', name: 'weather' },
      { type: 'input', id: 'a', text: '{"city":"Bern"}' },
      { type: 'call-end', id: 'a' },
    ]);
    parts.of({ type: 'tool-input-start', id: 'b', toolName: 'weather' });
    parts.of({ type: 'tool-input-delta', id: 'b', delta: '{"city"' });
    expect(parts.of({ ...whole, toolCallId: 'b' })).toEqual([
      { type: 'input', id: 'b', text: ':"Bern"}' },
      { type: 'call-end', id: 'b' },
    ]);
  });
  it('end with an error if the provider gives no reason for their end', () => {
    const usage = { inputTokens: {}, outputTokens: {} } as never;
    const end = (unified: 'error' | 'other') => new AnswerParts().of({ type: 'finish', finishReason: { unified, raw: undefined }, usage });
    for (const unified of ['error', 'other'] as const)
      expect(() => end(unified)).toThrow(expect.objectContaining({ code: 'stream_broken' }));
  });
});

describe('a whole answer', () => {
  const end = { type: 'end', reason: 'end_turn', usage: {} as never } as const;

  it('keeps signed reasoning apart from the reasoning after it', () => {
    const collected = new CollectedParts();
    collected.add({ type: 'reasoning', text: 'Hm' });
    collected.add({ type: 'reasoning', text: '.' });
    collected.add({ type: 'signature', signature: 's' });
    collected.add({ type: 'reasoning', text: 'Oh.' });
    expect(collected.whole(end).blocks).toEqual([
      { type: 'reasoning', text: 'Hm.', signature: 's' },
      { type: 'reasoning', text: 'Oh.', signature: '' },
    ]);
  });
  it.each<[string, (text: string) => AnswerPart]>([
    ['text', (x) => ({ type: 'text', text: x })],
    ['reasoning', (x) => ({ type: 'reasoning', text: x })],
    ['redacted reasoning', (data) => ({ type: 'redacted', data })],
    ['inputs of calls', (x) => ({ type: 'input', id: 'a', text: x })],
  ])('has a limited length of %s', (_, part) => {
    const collected = new CollectedParts();
    collected.add(part('x'.repeat(LONGEST_WHOLE)));
    expect(() => collected.add(part('x'))).toThrow(expect.objectContaining({ code: 'answer_invalid' }));
  });
});
