import { describe, expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { NotDone } from '../not-done.ts';
import { replay } from './replay.ts';

describe('parlance replay', () => {
  it.each([
    ['a second read model', ['bots', 'store', 'bot-list'], /not bot-list/],
    ['a second read model, with --reset', ['bots', 'store', 'bot-list', '--reset'], /not bot-list/],
    ['names beside --service', ['store', '--service', 'bots'], /either --service and --projection, or the names/],
    ['a read model without its service', ['--projection', 'store'], /name the service/],
    ['an unknown option', ['bots', 'store', '--rest'], /--rest/],
  ])('refuses %s before any data is opened', async (_, words, because) => {
    const refused = replay(new Config(), words);
    await expect(refused).rejects.toThrow(NotDone);
    await expect(refused).rejects.toThrow(because);
  });
});
