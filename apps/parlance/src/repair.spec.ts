import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { redrive } from './repair.ts';

describe('parlance redrive', () => {
  it.each([
    ['one', '--projection', 'store'],
    ['one', '--list'],
    ['--projection', 'store', '--list'],
  ])('does not take an option for an ID: %s %s', async (...words) => {
    // The command is refused before any data are opened.
    await expect(redrive(new Config(), ['bots', ...words])).rejects.toThrow(/right after the service/);
  });
  it('does not ignore an ID after --list', async () => {
    await expect(redrive(new Config(), ['bots', '--list', 'one'])).rejects.toThrow('redrive --list takes no ID, but one was given');
  });
});
