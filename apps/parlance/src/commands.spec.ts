import { describe, expect, it } from '@jest/globals';
import { commands, help } from './commands.ts';

describe('the help', () => {
  it.each(Object.keys(commands))('has %s, in a line of its own', (name) =>
    expect(help()).toMatch(new RegExp(`^  ${name}( .*)?  \\w.+$`, 'm')),
  );
  it('has lines that fit a terminal', () => {
    for (const line of help().split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });
});
