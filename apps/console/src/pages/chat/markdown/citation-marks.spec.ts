import type { Root } from 'mdast';
import { citationMarks, withMarks, withoutNotes } from './citation-marks.ts';

describe('the marks of citations', () => {
  it('become elements between the texts', () => {
    expect(withMarks('It is so[^1][^12], he says.')).toMatchObject([
      { value: 'It is so' },
      { data: { hName: 'cite', hProperties: { title: '1' } } },
      { data: { hName: 'cite', hProperties: { title: '12' } } },
      { value: ', he says.' },
    ]);
  });
  it.each(['a [^note] b', 'a [^1234] b'])('are numbers of up to three digits, unlike %j', (text) =>
    expect(withMarks(text)).toEqual([{ type: 'text', value: text }]),
  );
  it('are found everywhere in a text except in links, which are interactive elements themselves', () => {
    const text = { type: 'text', value: 'x[^1]' } as const;
    const tree: Root = {
      type: 'root',
      children: [
        { type: 'paragraph', children: [text, { type: 'strong', children: [text] }, { type: 'link', url: '/', children: [text] }] },
      ],
    };
    citationMarks()(tree);
    const marked = [{ value: 'x' }, { data: { hName: 'cite' } }];
    expect(tree.children).toMatchObject([
      { children: [...marked, { type: 'strong', children: marked }, { type: 'link', children: [text] }] },
    ]);
  });
  it('are not Markdown footnotes', () => expect(withoutNotes('x[^1]\n\n[^1]: from here')).toBe('x[^1]\n\n\\[^1]: from here'));
});
