import { aggregate, singleAggregate } from '../bus.ts';
import { bot, botStream } from '../domain/bot.ts';
import { DEDICATED_BASES, dedicatedBases } from '../domain/knowledge/dedicated-bases.ts';
import { embeddingUse, embeddingUseStream } from '../domain/embedding-use.ts';
import { rerankingUse, rerankingUseStream } from '../domain/reranking-use.ts';
import { knowledgeStream, knowledgeSync } from '../domain/knowledge/knowledge-sync.ts';
import { prompts, promptsStream } from '../domain/prompts/prompts.ts';
import { shelf, shelfStream } from '../domain/shelf.ts';
import { uploads, uploadsStream } from '../domain/uploads.ts';

export const ExecuteBot = aggregate('ExecuteBot', bot, botStream);
export const ExecuteShelf = aggregate('ExecuteShelf', shelf, shelfStream);
export const ExecuteKnowledgeSync = aggregate('ExecuteKnowledgeSync', knowledgeSync, knowledgeStream);
export const ExecuteUploads = aggregate('ExecuteUploads', uploads, uploadsStream);
export const ExecuteDedicatedBases = singleAggregate('ExecuteDedicatedBases', dedicatedBases, DEDICATED_BASES);
export const ExecuteEmbeddingUse = aggregate('ExecuteEmbeddingUse', embeddingUse, embeddingUseStream);
export const ExecuteRerankingUse = aggregate('ExecuteRerankingUse', rerankingUse, rerankingUseStream);

/** Keyed by the ID of the owner. */
export const ExecutePrompts = aggregate('ExecutePrompts', prompts, promptsStream);
