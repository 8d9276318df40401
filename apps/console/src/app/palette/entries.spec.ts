import { type Entry, excerpt, named, withEntries } from './entries.ts';

const entry = (name: string): Entry => ({ id: name, name, run: () => undefined });
const entries = ['New chat', 'Administration: Costs', 'Costs of a chat'].map(entry);
const names = (text: string) => named(entries, text).map(({ name }) => name);

describe('entries', () => {
  it('are found by all words in any order, those that begin with the first word first', () => {
    expect(names('COST')).toEqual(['Costs of a chat', 'Administration: Costs']);
    expect(names('cost admin')).toEqual(['Administration: Costs']);
    expect(names('cost bot')).toEqual([]);
  });

  it('are all shown without words', () => expect(names('  ')).toHaveLength(3));

  it('are shown in sections that are not empty', () =>
    expect(
      withEntries([
        { id: 'pages', entries },
        { id: 'bots', entries: [] },
      ]).map(({ id }) => id),
    ).toEqual(['pages']));
});

describe('the excerpt of a found text', () => {
  it('begins shortly before the match', () =>
    expect(excerpt({ text: `${'a'.repeat(30)} ferry at nine`, matches: [{ start: 31 }] })).toBe(`…${'a'.repeat(19)} ferry at nine`));

  it('is the whole text if the match is at its beginning', () => expect(excerpt({ text: 'ferry', matches: [{ start: 0 }] })).toBe('ferry'));

  it('is missing without a match', () => {
    expect(excerpt(undefined)).toBeUndefined();
    expect(excerpt({ text: 'ferry', matches: [] })).toBeUndefined();
  });
});
