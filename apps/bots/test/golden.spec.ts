import { describe, expect, it } from '@jest/globals';
import { Upcasters } from '@parlance/event-store';
import { readerOf } from '@parlance/foundation/golden';
import { differences, goldenCases } from '@parlance/testing';
import { publishBots } from '../src/contracts/bots-events.ts';
import { bot } from '../src/domain/bot.ts';
import { upcasts } from '../src/domain/earlier-events.ts';
import { embeddingUse } from '../src/domain/embedding-use.ts';
import { dedicatedBases } from '../src/domain/dedicated-bases.ts';
import { knowledgeSync } from '../src/domain/knowledge-sync.ts';
import { rerankingUse } from '../src/domain/reranking-use.ts';
import { shelf } from '../src/domain/shelf.ts';
import { uploads } from '../src/domain/uploads.ts';

const reader = readerOf(
  { bot, shelf, knowledge: knowledgeSync, uploads, dedicated: dedicatedBases, embedding: embeddingUse, reranking: rerankingUse },
  publishBots,
  new Upcasters(upcasts),
);

describe('streams written by a release', () => {
  it.each(goldenCases(new URL('./golden/', import.meta.url)))('equal the recorded rows: $stream of $release', (golden) => {
    expect(differences(golden, reader)).toEqual([]);
  });
});
