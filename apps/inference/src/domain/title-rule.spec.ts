import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_TITLE, titleByRule, titleFromAnswer, UNTITLED } from './title-rule.ts';

describe('the title of a conversation by rule', () => {
  it('is a short message itself, on one line', () => expect(titleByRule('  Why is\nthe sky  blue? ')).toBe('Why is the sky blue?'));
  it('is the first whole words of a long message', () => {
    expect(titleByRule('word '.repeat(50))).toBe('word '.repeat(20).trim());
    expect(titleByRule(`${'x'.repeat(98)} abc`)).toBe('x'.repeat(98));
  });
  it('cuts a first word that is too long, between characters', () => {
    expect(titleByRule('x'.repeat(2_000))).toBe('x'.repeat(MAX_TITLE));
    expect(titleByRule('😀'.repeat(200))).toBe('😀'.repeat(MAX_TITLE));
  });
  it('is a default text for a message without words', () => expect(titleByRule(' \n ')).toBe(UNTITLED));
  it('always has 1 to 100 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { length } = [...titleByRule(text)];
        expect(length >= 1 && length <= MAX_TITLE).toBe(true);
      }),
    );
  });
});

describe('the title from the answer of a model', () => {
  it.each([
    ['The Sky', 'The Sky'],
    ['"The Sky."', 'The Sky'],
    ['**Title: The Sky**', 'The Sky'],
    ['Title: “The Sky”\nIt is about the sky.', 'The Sky'],
    ['\n# The Sky', 'The Sky'],
  ])('is its first line without ornaments: %j', (answer, title) => expect(titleFromAnswer(answer)).toBe(title));
  it('has the same length limit as any title', () => expect(titleFromAnswer('word '.repeat(99))).toBe('word '.repeat(20).trim()));
  it('is null if the answer has no words', () => expect(titleFromAnswer(' "" \n')).toBeNull());
});
