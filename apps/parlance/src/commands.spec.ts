import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { commands, help } from './commands.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the help', () => {
  it.each(Object.entries(commands).filter(([, { words }]) => words !== ''))(
    'has the words of %s as the README has them',
    (name, { words }) => expect(readme).toContain(`\n| \`${name} ${words}\` `),
  );
  it.each(Object.keys(commands))('has %s, in a line of its own', (name) =>
    expect(help()).toMatch(new RegExp(`^  ${name}( .*)?  \\w.+$`, 'm')),
  );
  it('has lines that fit a terminal', () => {
    for (const line of help().split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });
});
