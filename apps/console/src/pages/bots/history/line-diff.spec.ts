import { folded, lineDiff } from './line-diff.ts';

const diff = (before: string, after: string) =>
  lineDiff(before, after)?.map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

describe('the difference of two texts', () => {
  it('keeps the lines that both have', () => expect(diff('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']));
  it('adds all lines of a new text', () => expect(diff('', 'a\nb')).toEqual(['+a', '+b']));
  it('removes all lines of a text that is gone', () => expect(diff('a', '')).toEqual(['-a']));
  it('has no changes for equal texts', () => expect(diff('a\nb', 'a\nb')).toEqual([' a', ' b']));
  it('finds lines that have moved down', () => expect(diff('a\nb', 'x\na\nb\ny')).toEqual(['+x', ' a', ' b', '+y']));
  it('keeps as many lines as possible', () => expect(diff('a\nb\nc\nd', 'b\nd\na\nc')).toEqual(['-a', ' b', '-c', ' d', '+a', '+c']));

  it('is not computed for texts that are too long', () => {
    const lines = (name: string) => Array.from({ length: 2_100 }, (_, n) => `${name}${n}`).join('\n');
    expect(lineDiff(lines('a'), lines('b'))).toBeNull();
  });

  it('counts unchanged lines that are far from a change', () =>
    expect(folded(lineDiff('1\n2\n3\n4\n5\nold', '1\n2\n3\n4\n5\nnew')!)).toEqual([
      { kind: 'folded', count: 3 },
      { kind: 'same', text: '4' },
      { kind: 'same', text: '5' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
    ]));
});
