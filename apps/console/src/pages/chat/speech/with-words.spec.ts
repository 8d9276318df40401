import { describe, expect, it } from '@jest/globals';
import { withWords } from './with-words.ts';

const inserted = (marked: string, words: string): string => {
  const at = marked.indexOf('|');
  const { text, cursor } = withWords(marked.replace('|', ''), at, words);
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
};

describe('dictated words', () => {
  it.each([
    ['|', 'two|'],
    ['one|', 'one two|'],
    ['one |', 'one two|'],
    ['one | three', 'one two| three'],
    ['one |three', 'one two| three'],
    ['one|.', 'one two|.'],
    ['one\n|', 'one\ntwo|'],
  ])('are separated from the text around them: %j', (before, after) => expect(inserted(before, 'two')).toBe(after));
});
