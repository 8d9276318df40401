import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlOf, type YamlValue } from './yaml-text.ts';

const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom('', ' ', '  indented', '# no comment', '- item', 'a: b', '---', '...', '\t')));
const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((generated) => generated.isWellFormed()),
  fc.tuple(lines, fc.constantFrom('', '\n', '\n\n', ' \n')).map(([rows, end]) => rows.join('\n') + end),
);
const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const { value } = fc.letrec<{ value: YamlValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const documents = fc.dictionary(name, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true });
/** Minus zero is zero in JSON too. */
const plain = (anyValue: unknown) => JSON.parse(JSON.stringify(anyValue));

describe('YAML of a value', () => {
  it('is read back as the same value', () =>
    fc.assert(fc.property(documents, (document) => expect(plain(parse(yamlOf(document), { maxAliasCount: 0 }))).toEqual(plain(document)))));

  it.each(['a\n ', ' !\n ', 'a\n\t\n\n', 'a\n \nb'])('is read back with its blank lines: %j', (blankText) =>
    expect(parse(yamlOf({ in: { text: blankText }, after: 0 }))).toEqual({ in: { text: blankText }, after: 0 }),
  );

  it('writes texts of several lines as literal blocks', () =>
    expect(yamlOf({ instruction: 'Be brief.\n  Quote: "x"\n', tools: [{ name: 'a', approval: 'never' }], none: [] })).toBe(
      'instruction: |2\n  Be brief.\n    Quote: "x"\ntools:\n  - name: "a"\n    approval: "never"\nnone: []\n',
    ));
});
