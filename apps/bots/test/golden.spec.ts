import { describe, expect, it } from '@jest/globals';
import { differences, goldenCases } from '@parlance/testing';
import { publishBots } from '../src/contracts/bots-events.ts';
import { bot } from '../src/domain/bot.ts';
import { readerOf } from '@parlance/foundation/golden';

const reader = readerOf({ bot }, publishBots);

describe('streams that a release has written', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('are what they were: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
