import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readerOf } from '@parlance/foundation/golden';
import { differences, goldenCases, snapshotFields } from '@parlance/testing';
import { publishPublications } from '../src/contracts/publication-events.ts';
import { apiQuota } from '../src/domain/api-quota.ts';
import { keyUse } from '../src/domain/key-use.ts';
import { publication } from '../src/domain/publication.ts';

const cases = goldenCases(new URL('./golden/', import.meta.url));

const reader = readerOf({ publication, keyuse: keyUse, apiquota: apiQuota }, publishPublications);

describe('streams written by an earlier release', () => {
  it.each(cases)('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});

describe('snapshots of these streams', () => {
  it('have the recorded fields: a state with other fields needs another shape, which is then recorded', () => {
    expect(snapshotFields(cases, reader)).toEqual(JSON.parse(readFileSync(new URL('./snapshot-fields.json', import.meta.url), 'utf8')));
  });
});
