import { mustEnd } from '@parlance/testing';
import { blocksOf } from './blocks.ts';

/** Parsed as Markdown, each of these would block the page for minutes. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['emphasis', '*a_'.repeat(20_000)],
  ['emphasis over many lines', '*a_\n'.repeat(20_000)],
  ['emphasis in a cell', `|a|\n|-|\n|${'*a_'.repeat(20_000)}|\n`],
  ['brackets', `${'[a'.repeat(20_000)}${']'.repeat(20_000)}`],
  ['nested quotes', `${'> '.repeat(20_000)}x`],
  ['nested lists', `${'* '.repeat(20_000)}a`],
  ['lists nested by indentation', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(2 * depth)}- x`).join('\n')],
  ['a table with thousands of columns', `|${'a|'.repeat(4_000)}\n|${'-|'.repeat(4_000)}\n${'|x|\n'.repeat(4_000)}`],
  ['blocks with a formula', '$$a\n\n'.repeat(20_000)],
  ['a wide table with empty rows', `|${'a|'.repeat(40)}\n|${'-|'.repeat(40)}\n${'|x|\n'.repeat(4_000)}`],
];

const ORDINARY: readonly (readonly [string, string])[] = [
  ['a list of links', '- **One**: see [the page](https://example.org/a_b_c) and `some_name`.\n'.repeat(500)],
  ['a table', `| Name | Cost |\n| :--- | ---: |\n${'| **one** | [1](https://example.org) |\n'.repeat(900)}`],
  ['paragraphs', 'Some *words* and **others**, x_1 and $$x^2$$.\n'.repeat(100)],
  ['lines', `${'-'.repeat(200)}\n\n${'* '.repeat(3)}\n\nA`],
  ['code', `\`\`\`\n${'a[i]*b_[j] '.repeat(9_000)}\n\`\`\`\n`],
  [
    'nested quotes and lists',
    `${'> '.repeat(10)}a\n\n${Array.from({ length: 12 }, (_, depth) => `${' '.repeat(2 * depth)}- x`).join('\n')}`,
  ],
];

describe('a text of a model', () => {
  it.each(HOSTILE)('is shown unformatted, at once, with thousands of %s', (_, text) =>
    mustEnd(() => expect(blocksOf(text).some(({ isPlain }) => isPlain)).toBe(true)),
  );
  it.each(HOSTILE)('keeps all its characters with thousands of %s', (_, text) =>
    expect(
      blocksOf(text)
        .map((block) => block.text)
        .join(''),
    ).toBe(text),
  );
  it.each(ORDINARY)('is parsed as Markdown: %s', (_, text) => expect(blocksOf(text).filter(({ isPlain }) => isPlain)).toEqual([]));
});
