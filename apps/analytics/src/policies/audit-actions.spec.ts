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
import { auditActions } from './audit-actions.ts';

/** Public events that are not audited. Each entry states why. */
const notAudited: ReadonlySet<string> = new Set([
  // Using a bot is not administration, and its cost is in the figures.
  MessageSubmitted.type,
  ReplyRequested.type,
  ReplyCompleted.type,
  ReplyFailed.type,
  TokensCharged.type,
  EmbeddingUsed.type,
  RerankingUsed.type,
  KnowledgeCharged.type,
  // The audit entry of the request covers this.
  CostsRestated.type,
  // The user deleted the conversation, or the audit entry of the erasure covers this.
  ConversationDeleted.type,
  FeedbackGiven.type,
  // Imported messages are not audited, like messages written here. The users and bots of an import have their own entries.
  ConversationImported.type,
  MessagesImported.type,
  // The messages of many users have spent the budget together. They are informed in the answers to their messages.
  BudgetNearlyReached.type,
  BudgetReached.type,
  // The product itself writes exports. Each read of an export has an audit entry.
  ExportWritten.type,
  // The counts of requests to a published API are in the usage of the publication.
  ApiUsageRecorded.type,
]);

describe('the table of audit actions', () => {
  it.each(publicEvents.map(({ type }) => type))('has an entry for %s, or a reason why not', (type) => {
    expect([type, auditActions.has(type)]).toEqual([type, !notAudited.has(type)]);
  });
  it('has no entry for events that are not published', () => {
    const published = new Set(publicEvents.map(({ type }) => type));
    expect([...auditActions.keys(), ...notAudited].filter((type) => !published.has(type))).toEqual([]);
  });
});
