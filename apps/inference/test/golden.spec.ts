import { describe, expect, it } from '@jest/globals';
import { differences, goldenCases } from '@parlance/testing';
import { publishInference } from '../src/contracts/inference-events.ts';
import { conversation } from '../src/domain/conversation.ts';
import { readerOf } from '@parlance/service-kit/golden';

const reader = readerOf({ conversation }, publishInference);

describe('streams that a release has written', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('are what they were: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
