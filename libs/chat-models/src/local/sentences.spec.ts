import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LONGEST_SENTENCE, sentenceParts } from './sentences.ts';

const sentencesOf = (text: string) => [...sentenceParts(text)].flat();

describe('the sentences of a text', () => {
  it.each([
    ['end with a punctuation mark', 'One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['end with the closing quote or bracket after the mark', '"One." (Two.) Three', ['"One."', '(Two.)', 'Three']],
    ['continue after an abbreviation', 'See e.g. the desk.', ['See e.g. the desk.']],
    ['continue in a number', 'It is 3.5 metres.', ['It is 3.5 metres.']],
    ['continue on the next line of a page', 'A refund takes\nfourteen  days.', ['A refund takes fourteen days.']],
    ['end at the end of a table row', 'Name,Price\nTea,3\nMilk,2', ['Name,Price', 'Tea,3', 'Milk,2']],
    ['end with Chinese and Japanese punctuation', '我们九点开门。狗可以来。', ['我们九点开门。', '狗可以来。']],
    ['have letters or digits', '--- \n\n * One.', ['* One.']],
  ])('%s', (_, text, sentences) => expect(sentencesOf(text)).toEqual(sentences));
  it('are cut between words if they are long', () => {
    const sentences = sentencesOf('word '.repeat(200));
    expect(sentences.join(' ')).toBe('word '.repeat(200).trim());
    expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_SENTENCE);
  });
  it('lose no letter', () => {
    const letters = (text: string) => text.replace(/[^a-z]/gi, '');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'B', ' ', '\n', '. ', '!', 'word', '"'), { maxLength: 2_000 }), (parts) => {
        const text = parts.join('');
        expect(letters(sentencesOf(text).join(' '))).toBe(letters(text));
      }),
      { numRuns: 100 },
    );
  });
});
