import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { KnowledgeIndexes } from '../src/indexes/knowledge-indexes.ts';
import { buildingCases } from './contract-building.ts';
import { searchingCases } from './contract-searching.ts';

export interface IndexesPlace {
  readonly indexes: KnowledgeIndexes;
  remove(): Promise<void>;
}

export interface IndexesCase {
  readonly name: string;
  /** `bot` is used by this case only. Its other bots have names that start with the same letters. */
  run(indexes: KnowledgeIndexes, bot: string): Promise<void>;
}

/** The cases that every adapter must pass. They are plain functions, so that they can also test intentionally broken adapters. */
export const knowledgeIndexesCases: readonly IndexesCase[] = [...buildingCases, ...searchingCases];

/** The contract as a suite. Its cases share one set of indexes. */
export function knowledgeIndexesContract(name: string, makePlace: () => Promise<IndexesPlace>): void {
  describe(`${name} as knowledge indexes`, () => {
    let place: IndexesPlace;
    beforeAll(async () => {
      place = await makePlace();
    });
    afterAll(() => place.remove());
    for (const [index, { name: sentence, run }] of knowledgeIndexesCases.entries()) it(sentence, () => run(place.indexes, `bot${index}`));
  });
}
