import { describe, expect, it } from '@jest/globals';
import { readerOf } from '@parlance/foundation/golden';
import { differences, goldenCases } from '@parlance/testing';
import { rememberedRequest } from '../src/domain/remembered-request.ts';

const reader = readerOf({ idempotency: rememberedRequest }, () => []);

describe('streams written by a release', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
