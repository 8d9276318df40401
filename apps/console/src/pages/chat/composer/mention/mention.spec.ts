import { joinedDrafts, mentionAt, withAt, withoutMention } from './mention.ts';

const typed = (text: string) => mentionAt(text, text.length);

describe('a mention', () => {
  it.each([
    ['@', { start: 0, end: 1, query: '' }],
    ['@hand', { start: 0, end: 5, query: 'hand' }],
    ['Ask @Übersicht', { start: 4, end: 14, query: 'Übersicht' }],
    ['One line\n@b', { start: 9, end: 11, query: 'b' }],
  ])('begins with an @ at the beginning of a word: %j', (text, mention) => expect(typed(text)).toEqual(mention));

  it.each(['', 'ada@example', '@hand book', '@@', `@${'a'.repeat(41)}`])('is not in %j', (text) => expect(typed(text)).toBe(null));

  it('ends at the cursor', () => expect(mentionAt('@handbook', 3)).toEqual({ start: 0, end: 3, query: 'ha' }));
});

describe('a chosen bot', () => {
  it.each([
    ['@hand', ''],
    ['@hand How long?', 'How long?', 5],
    ['Please ask @hand about leave', 'Please ask about leave', 16],
    ['Please ask @hand', 'Please ask '],
  ])('leaves the rest of the text: %j', (text, rest, cursor = text.length) =>
    expect(withoutMention(text, mentionAt(text, cursor)!)).toBe(rest),
  );

  it('takes the text to its own draft', () => {
    expect(joinedDrafts('new', '')).toBe('new');
    expect(joinedDrafts(' ', 'kept')).toBe('kept');
    expect(joinedDrafts('new', 'kept')).toBe('kept\n\nnew');
  });
});

it('the button adds an @ that begins a word', () => {
  expect(withAt('', 0)).toEqual({ text: '@', cursor: 1 });
  expect(withAt('Ask ', 4)).toEqual({ text: 'Ask @', cursor: 5 });
  expect(withAt('Ask now', 3)).toEqual({ text: 'Ask @ now', cursor: 5 });
});
