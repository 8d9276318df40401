import { joinedDrafts, typedNameAt, withAt, withInstead, withoutName } from './typed-name.ts';

const typed = (text: string) => typedNameAt(text, text.length);

describe('the name of a bot', () => {
  it.each([
    ['@', { kind: 'bot', start: 0, end: 1, query: '' }],
    ['@hand', { kind: 'bot', start: 0, end: 5, query: 'hand' }],
    ['Ask @Übersicht', { kind: 'bot', start: 4, end: 14, query: 'Übersicht' }],
    ['One line\n@b', { kind: 'bot', start: 9, end: 11, query: 'b' }],
  ])('begins with an @ at the beginning of a word: %j', (text, name) => expect(typed(text)).toEqual(name));

  it.each(['', 'ada@example', '@hand book', '@@', `@${'a'.repeat(41)}`])('is not in %j', (text) => expect(typed(text)).toBe(null));

  it('ends at the cursor', () => expect(typedNameAt('@handbook', 3)).toEqual({ kind: 'bot', start: 0, end: 3, query: 'ha' }));
});

describe('the command of a prompt', () => {
  it.each([
    ['/', { kind: 'prompt', start: 0, end: 1, query: '' }],
    ['First line\n/weekly-mail', { kind: 'prompt', start: 11, end: 23, query: 'weekly-mail' }],
  ])('begins with a / at the beginning of a line: %j', (text, name) => expect(typed(text)).toEqual(name));

  it.each(['1/2', 'and /or', '/usr/bin', '// comment', '/mail please'])('is not in %j', (text) => expect(typed(text)).toBe(null));

  it('is replaced by a text, after which the cursor is', () =>
    expect(withInstead('/ma\nThanks', typedNameAt('/ma\nThanks', 3)!, 'Dear all,')).toEqual({ text: 'Dear all,\nThanks', cursor: 9 }));
});

describe('a chosen bot', () => {
  it.each([
    ['@hand', ''],
    ['@hand How long?', 'How long?', 5],
    ['Please ask @hand about leave', 'Please ask about leave', 16],
    ['Please ask @hand', 'Please ask '],
  ])('leaves the rest of the text: %j', (text, rest, cursor = text.length) =>
    expect(withoutName(text, typedNameAt(text, cursor)!)).toBe(rest),
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
