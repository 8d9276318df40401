import { describe, expect, it } from '@jest/globals';
import { mustEnd } from '@parlance/testing';
import { fencedBlocks } from './fenced-blocks.ts';

const codesIn = (text: string) => fencedBlocks(text).map(({ language, code }) => [language, code]);

describe('the fenced blocks of a text', () => {
  it('have their language and code, in their order', () =>
    expect(codesIn('One:\n\n```HTML\n<p>\n</p>\n```\nTwo:\n~~~ svg title=x\n<svg/>\n~~~\n\n```\nplain\n```')).toEqual([
      ['html', '<p>\n</p>'],
      ['svg', '<svg/>'],
      ['', 'plain'],
    ]));

  it('contain shorter and other fences', () =>
    expect(codesIn('````md\n```js\n1\n```\n~~~\n````\nafter')).toEqual([['md', '```js\n1\n```\n~~~']]));

  it('are found in lists and quotes, without the indent', () =>
    expect(codesIn('1. A page:\n\n   ```html\n   <ul>\n     <li>\n   ```\n\n- ```html\n  <p>\n  ```\n> ```html\n> <b>\n> ```')).toEqual([
      ['html', '<ul>\n  <li>'],
      ['html', '<p>'],
      ['html', '<b>'],
    ]));

  it('are not code in a line of text, nor indented fences in code', () => {
    expect(fencedBlocks('```html``` is a language')).toEqual([]);
    expect(codesIn('```html\n<pre>\n      ```\n</pre>\n```')).toEqual([['html', '<pre>\n      ```\n</pre>']]);
  });

  it('are closed by their fence only', () =>
    expect(fencedBlocks('```html\n<p>\n```\n\n```svg\n<svg>\n``')).toEqual([
      { language: 'html', code: '<p>', isClosed: true },
      { language: 'svg', code: '<svg>\n``', isClosed: false },
    ]));

  it.each([
    ['whitespace', `${' '.repeat(2_000_000)}x\n\`\`\`${' '.repeat(2_000_000)}x\``],
    ['backticks', `${'`'.repeat(2_000_000)}x\`\n`.repeat(2)],
    ['markers of lists', `${'1. - > '.repeat(300_000)}\`\`\``],
    ['letters', `\`\`\`${'a'.repeat(2_000_000)}\``],
    ['lines in a block', `\`\`\`\n${'> '.repeat(1_000_000)}\n${'`\n'.repeat(500_000)}`],
  ])('are found in linear time in a text of %s', (_, text) => expect(mustEnd(() => fencedBlocks(text).length)).toBeLessThan(2));
});
