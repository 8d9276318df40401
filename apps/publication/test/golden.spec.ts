import { describe, expect, it } from '@jest/globals';
import { readerOf } from '@parlance/foundation/golden';
import { differences, goldenCases } from '@parlance/testing';
import { publishPublications } from '../src/contracts/publication-events.ts';
import { apiQuota } from '../src/domain/api-quota.ts';
import { keyUse } from '../src/domain/key-use.ts';
import { publication } from '../src/domain/publication.ts';

const reader = readerOf({ publication, keyuse: keyUse, apiquota: apiQuota }, publishPublications);

describe('streams written by an earlier release', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
