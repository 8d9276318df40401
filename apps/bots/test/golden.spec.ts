import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Upcasters } from '@parlance/event-store';
import { readerOf } from '@parlance/foundation/golden';
import { differences, goldenCases, snapshotFields } from '@parlance/testing';
import { publishBots } from '../src/contracts/bots-events.ts';
import { bot } from '../src/domain/bot.ts';
import { upcasts } from '../src/domain/earlier-events.ts';
import { embeddingUse } from '../src/domain/embedding-use.ts';
import { dedicatedBases } from '../src/domain/knowledge/dedicated-bases.ts';
import { knowledgeSync } from '../src/domain/knowledge/knowledge-sync.ts';
import { prompts } from '../src/domain/prompts/prompts.ts';
import { rerankingUse } from '../src/domain/reranking-use.ts';
import { shelf } from '../src/domain/shelf.ts';
import { uploads } from '../src/domain/uploads.ts';

const cases = goldenCases(new URL('./golden/', import.meta.url));

const reader = readerOf(
  { bot, shelf, knowledge: knowledgeSync, uploads, dedicated: dedicatedBases, embedding: embeddingUse, reranking: rerankingUse, prompts },
  publishBots,
  new Upcasters(upcasts),
);

describe('streams written by a release', () => {
  it.each(cases)('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});

describe('snapshots of these streams', () => {
  it('have the recorded fields: a state with other fields needs another shape, which is then recorded', () => {
    expect(snapshotFields(cases, reader)).toEqual(JSON.parse(readFileSync(new URL('./snapshot-fields.json', import.meta.url), 'utf8')));
  });
});
