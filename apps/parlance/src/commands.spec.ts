import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { commandNamed, commands, help, unknownWord, wordsOf } from './commands.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the help', () => {
  it.each(Object.entries(commands).filter(([, { usage }]) => usage !== ''))('has the same usage of %s as the README', (name, { usage }) =>
    expect(readme).toContain(`\n| \`${name} ${usage}\` `),
  );
  it('is in the guide for operators', () => {
    const guide = readFileSync(new URL('../../../docs/how-to/operating.md', import.meta.url), 'utf8');
    expect(guide).toContain(help());
  });
  it.each(Object.keys(commands))('has a line for %s', (name) => expect(help()).toMatch(new RegExp(`^  ${name}( .*)?  \\w.+$`, 'm')));
  it('has lines that fit a terminal', () => {
    for (const line of help().split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });
});

describe('a command', () => {
  it('is found by its name, and by no other name', () => {
    expect(commandNamed('verify')).toBe(commands['verify']);
    for (const name of ['verfy', 'constructor', '__proto__']) expect(commandNamed(name)).toBeUndefined();
  });
});

describe('the words of a command line', () => {
  it('exclude --config and its file', () => {
    expect(wordsOf(['DIR', '--config', 'a.json', '--with-master-key'])).toEqual(['DIR', '--with-master-key']);
    expect(wordsOf(['--config=a.json'])).toEqual([]);
  });
  it.each(['--confg', '--configuration=a.json', '--', 'now'])('cannot be %s for a command without words', (word) => {
    expect(unknownWord(commands['start']!, wordsOf([word]))).toBe(word);
    expect(unknownWord(commands['config']!, wordsOf(['--config', 'a.json', word]))).toBe(word);
  });
  it.each([
    ['backup', '--with-mastr-key'],
    ['restore', '--replac'],
    ['verify', '--head'],
    ['verify-audit', '--hed'],
    ['accept-loss', '-y'],
    ['redrive', '--lst'],
  ])('of %s cannot be %s', (name, word) => expect(unknownWord(commands[name]!, ['DIR', word])).toBe(word));
  it.each([
    ['verify', ['monday', 'tuesday']],
    ['restore', ['monday', '--replace', 'tuesday']],
    ['backup', ['monday', 'tuesday']],
    ['accept-loss', ['bots', 'tuesday']],
    ['verify-audit', ['--head', 'head.json', 'tuesday']],
  ])('of %s include one too many: %j', (name, words) => expect(unknownWord(commands[name]!, words)).toBe('tuesday'));
  it.each([
    ['start', []],
    ['backup', ['DIR', '--with-master-key', '--accept-missing-objects']],
    ['restore', ['DIR', '--replace']],
    ['verify-audit', ['--head', 'head.json']],
    ['redrive', ['bots', '--projection', 'store']],
    ['redrive', ['bots', '--list']],
    ['redrive', ['bots', 'one', 'two', 'three']],
    ['replay', ['--service', 'bots']],
    ['migrate', ['--from', 'export', '--dry-run']],
  ])('of %s may be %j', (name, words) => expect(unknownWord(commands[name]!, words)).toBeNull());
});
