import { describe, expect, it } from '@jest/globals';
import { MAX_PROMPT_VARIABLES, MAX_VARIABLE_NAME, MAX_VARIABLE_OPTIONS } from './prompt-limits.ts';
import { parsePrompt } from './prompt-variables.ts';

const variable = (name: string, fallback: string | null = null, options: readonly string[] = []) => ({ name, default: fallback, options });
const variablesOf = (text: string) => {
  expect(parsePrompt(text).fault).toBeNull();
  return parsePrompt(text).variables;
};
const many = (length: number, each: (nth: number) => string) => Array.from({ length }, (_, nth) => each(nth));

describe('the variables of a prompt', () => {
  it.each([
    ['Write to {{name}}.', [variable('name')]],
    ['{{ name }}', [variable('name')]],
    ['{{tone:friendly}}', [variable('tone', 'friendly')]],
    ['{{tone: a|b: c }}', [variable('tone', 'a|b: c')]],
    ['{{note:}}', [variable('note', '')]],
    ['{{tone|polite|brief: one line}}', [variable('tone', null, ['polite', 'brief: one line'])]],
    ['{{b}} and {{a}}', [variable('b'), variable('a')]],
    ['{{Größe}} {{_x-1}}', [variable('Größe'), variable('_x-1')]],
    ['No variables, { one } or }}.', []],
    ['A literal \\{{name}}.', []],
    ['{{tone}} {{tone:dry}} {{tone}} {{tone:dry}}', [variable('tone', 'dry')]],
    [`{{${'n'.repeat(MAX_VARIABLE_NAME)}}}`, [variable('n'.repeat(MAX_VARIABLE_NAME))]],
  ])('of %j', (text, expected) => expect(variablesOf(text)).toEqual(expected));

  it('may be many, but not more than the limit', () => {
    expect(variablesOf(many(MAX_PROMPT_VARIABLES, (nth) => `{{v${nth}}}`).join(' '))).toHaveLength(MAX_PROMPT_VARIABLES);
    expect(parsePrompt(many(MAX_PROMPT_VARIABLES + 1, (nth) => `{{v${nth}}}`).join(' ')).fault).toContain('of at most 30');
  });
  it.each([
    ['{{name', 'without }} in the same line'],
    ['{{na\nme}}', 'without }} in the same line'],
    ['{{}}', 'whose name'],
    ['{{1st}}', 'whose name'],
    ['{{your name}}', 'whose name'],
    ['{{{name}}}', 'whose name'],
    ['{{a {{b}}', 'whose name'],
    [`{{${'n'.repeat(MAX_VARIABLE_NAME + 1)}}}`, 'whose name'],
    ['{{tone|one}}', 'without 2 to 50 options'],
    [`{{tone|${many(MAX_VARIABLE_OPTIONS + 1, (nth) => `o${nth}`).join('|')}}}`, 'without 2 to 50 options'],
    ['{{tone|one||two}}', 'an empty or a repeated option'],
    ['{{tone|one|one}}', 'an empty or a repeated option'],
    ['{{tone:dry}} {{tone:warm}}', 'another default'],
    ['{{tone:dry}} {{tone|dry|warm}}', 'another default'],
  ])('are refused in %j', (text, fault) => expect(parsePrompt(text).fault).toContain(fault));
  it('are refused with the line and with what to write', () => {
    expect(parsePrompt('Dear {{name}},\n\n{{your text}}').fault).toMatch(
      /^has a placeholder in line 3 .*: write \{\{name\}\}, \{\{name:default\}\} or \{\{name\|one\|two\}\}, and \\\{\{ for braces that are text$/,
    );
  });
});
