import { describe, expect, it } from '@jest/globals';
import {
  ApiUsageRecorded,
  BudgetNearlyReached,
  BudgetReached,
  ExportWritten,
  ConversationDeleted,
  CostsRestated,
  ConversationImported,
  EmbeddingUsed,
  FeedbackGiven,
  KnowledgeCharged,
  MessagesImported,
  MessageSubmitted,
  publicEvents,
  ReplyCompleted,
  ReplyFailed,
  ReplyRequested,
  RerankingUsed,
  TokensCharged,
} from '@parlance/contracts';
import { deeds } from './deeds.ts';

/** What is said in public and is no change of anything that the audit log is about. Each entry says why it is here. */
const noDeeds: ReadonlySet<string> = new Set([
  // Using a bot is no administration of it; what it costs is in the figures.
  MessageSubmitted.type,
  ReplyRequested.type,
  ReplyCompleted.type,
  ReplyFailed.type,
  TokensCharged.type,
  EmbeddingUsed.type,
  RerankingUsed.type,
  KnowledgeCharged.type,
  // The audit entry of the request records it.
  CostsRestated.type,
  // Its own user has deleted it, or the entry of the erasure says it.
  ConversationDeleted.type,
  FeedbackGiven.type,
  // As with messages that were written here. The users and bots of an import have their entries.
  ConversationImported.type,
  MessagesImported.type,
  // The messages of many users have spent it together. Its users see it in the answers to their messages.
  BudgetNearlyReached.type,
  BudgetReached.type,
  // The product itself writes exports. Each read of them has an audit entry.
  ExportWritten.type,
  // Requests to a published API. Their numbers are in the usage of the publication.
  ApiUsageRecorded.type,
]);

describe('the table of deeds', () => {
  it.each(publicEvents.map(({ type }) => type))('has an entry for %s, or it is said why not', (type) => {
    expect([type, deeds.has(type)]).toEqual([type, !noDeeds.has(type)]);
  });
  it('has none for events that are not published', () => {
    const said = new Set(publicEvents.map(({ type }) => type));
    expect([...deeds.keys(), ...noDeeds].filter((type) => !said.has(type))).toEqual([]);
  });
});
