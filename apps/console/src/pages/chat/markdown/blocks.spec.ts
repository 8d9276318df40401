import { blocksOf } from './blocks.ts';

const texts = (text: string) => blocksOf(text).map((block) => block.text);

describe('the blocks of a text', () => {
  it('are its paragraphs, lists and blocks of code', () => {
    expect(texts('# A\n\nOne.\n\n- x\n- y\n\n```js\nlet a;\n\nlet b;\n```\n')).toEqual([
      '# A\n\n',
      'One.\n\n',
      '- x\n- y\n\n',
      '```js\nlet a;\n\nlet b;\n```\n',
    ]);
  });
  it('keep a formula with empty lines together', () => {
    expect(texts('Before\n\n$$\na\n\nb\n$$\n\nAfter')).toEqual(['Before\n\n', '$$\na\n\nb\n$$\n\n', 'After']);
  });
  it('end after a formula on one line', () => {
    expect(texts('$$a$$\n\nOne.\n\nTwo.')).toEqual(['$$a$$\n\n', 'One.\n\n', 'Two.']);
  });
  it('make up the whole text', () => {
    const text = '\n\nA\n\n> b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. x\n\n   y\n2. z\n\nEnd';
    expect(texts(text).join('')).toBe(text);
  });
  it('stay the same objects while the text grows, except at its end', () => {
    const text = 'One.\n\nTwo.\n\nThree.\n\nFour';
    const before = blocksOf(text);
    const after = blocksOf(`${text}. Five.\n\nSix`, before);
    expect(after.map((block) => block.text)).toEqual(texts(`${text}. Five.\n\nSix`));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });
  it('are the same whether the text has grown or arrived at once', () => {
    const text =
      'Intro\n\n1. a\n\n2. b\n\n   ```js\n   x\n\n   y\n   ```\n\n- c\n\n- d\n\nText\n===\n\n```\ncode\n\nmore\n```\n\n$$\nx\n\ny\n$$\n\nEnd\n';
    let grown = blocksOf('');
    for (let length = 0; length <= text.length; length += 3) grown = blocksOf(text.slice(0, length), grown);
    expect(blocksOf(text, grown).map((block) => block.text)).toEqual(texts(text));
  });
  it('start over for another text', () => {
    const before = blocksOf('One.\n\nTwo.\n\nThree.\n\nFour.');
    expect(blocksOf('Other.\n\nText.', before).map((block) => block.text)).toEqual(['Other.\n\n', 'Text.']);
  });
});
