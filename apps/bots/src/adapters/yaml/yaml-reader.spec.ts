import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonOfYaml } from './yaml-json.ts';
import { MOST_YAML_BYTES, YamlReader } from './yaml-reader.ts';

const codeOf = (text: string, reader = new YamlReader()) =>
  reader.read(text).then(JSON.stringify, ({ code, message }) => `${code}: ${message}`);

describe('YAML of a user', () => {
  it('has the types of JSON', async () =>
    expect(await new YamlReader().read('a: yes\nb: 0x10\nc: ~\nd: 2026-11-22\ne: [1, true, "x"]\nf: |\n  two\n  lines\n')).toEqual({
      a: 'yes',
      b: 16,
      c: null,
      d: '2026-11-22',
      e: [1, true, 'x'],
      f: 'two\nlines\n',
    }));

  it.each([
    ['an alias', 'a: &x [1]\nb: *x', 'must not have'],
    ['an anchor', 'a: &x 1', 'must not have anchors'],
    ['a billion laughs', 'a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]', 'must not have'],
    ['a custom tag', 'a: !!js/function "x"', 'must not have tags'],
    ['a local tag', 'a: !x {b: 1}', 'must not have tags'],
    ['a known tag', 'a: !!binary aGk=', 'must not have tags'],
    ['a merge key', 'a: {<<: {b: 1}}', 'must not have merge keys'],
    ['a directive', '%YAML 1.1\n---\na: 1', 'must not have directives'],
    ['a repeated key', 'a: 1\n"a": 2', 'is not valid at character'],
    ['a key that is not a text', '[a]: 1', 'is not valid at character'],
    ['two documents', 'a: 1\n---\nb: 1', 'is not valid at character'],
    ['infinity', 'a: .inf', 'has a number out of range'],
    ['half a list', 'a: [1', 'is not valid at character'],
  ])('is refused with %s', async (_, text, message) => expect(await codeOf(text)).toContain(`invalid_yaml: The YAML ${message}`));

  it.each([
    ['__proto__', '__proto__: {a: 1}'],
    ['constructor', 'a: {constructor: 1}'],
    ['more than 64 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['a NUL', 'a: "\\0"'],
  ])('respects the limits of JSON bodies: %s', async (_, text) => expect(await codeOf(text)).toContain('malformed_body'));

  it('is refused if it is too large', async () => expect(await codeOf('#'.repeat(MOST_YAML_BYTES + 1))).toContain('yaml_too_large'));

  it('is refused if it takes too long', async () =>
    expect(await codeOf('['.repeat(1_000_000), new YamlReader(500))).toContain('takes too long'));

  it('never makes the reader throw', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('a', ':', ' ', '\n', '- ', '[', ']', '{', '}', '&x', '*x', '!t', '|', '>', '"', '%', '---', '#', ',', '<<'),
        ),
        (parts) => {
          const result = jsonOfYaml(parts.join(''));
          if ('json' in result) JSON.parse(result.json);
          else expect(result.fault).not.toBe('');
        },
      ),
    ));
});
