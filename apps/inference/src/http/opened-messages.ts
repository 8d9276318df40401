import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/chat-models';
import { Instant } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import type { FeedbackRow } from '../projections/conversation-list.ts';
import { type Beside, BesideMessage } from '../projections/conversations.ts';
import type { MessageInConversation, MessageRow } from '../projections/messages.ts';
import { UsedChunksOf } from '../projections/used-chunks.ts';
import type { ContentPart, Feedback, MessageAnswer, MessageInMap, UsedChunk } from './answers.ts';

/** Opens what is sealed of a message. */
@Injectable()
export class OpenedMessages {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** As `GET /conversation/{conversationId}/{messageId}` answers a message that is not being written. */
  async answer({ message, conversation }: MessageInConversation): Promise<MessageAnswer> {
    const { status, error, ...shown } = await this.shown(message, await this.queries.execute(new BesideMessage(message)));
    return {
      conversation_id: conversation.conversation_id,
      message: shown,
      create_time: conversation.started_at / 1000,
      status: status as MessageAnswer['status'],
      ...(error && { error }),
    };
  }

  /** As `GET /conversation/{conversationId}` shows it. Yields to other work. */
  async shown(message: MessageRow, { children, feedback }: Beside): Promise<MessageInMap> {
    if (isTurnOver()) await nextTurn();
    const chunks = await this.usedChunks(message);
    return {
      message_id: message.message_id,
      role: message.role,
      content: await this.content(message),
      model: message.model,
      parent: message.parent,
      children: [...children],
      status: message.status,
      create_time: Instant.toSeconds(message.submitted_at),
      ...(message.stop_reason && { stop_reason: message.stop_reason }),
      ...(message.guardrail && { guardrail: message.guardrail }),
      ...(chunks && { used_chunks: chunks }),
      ...(feedback && { feedback: await this.feedback(feedback) }),
      ...(message.error && { error: message.error }),
    };
  }

  async feedback({ thumbs_up, category, comment }: FeedbackRow): Promise<Feedback> {
    return { thumbs_up, category, comment: await this.text(comment) };
  }

  /** Null without a text, and for an erased one. */
  async text(sealed: string | null | undefined): Promise<string | null> {
    return sealed === null || sealed === undefined ? null : this.vault.open(sealed as Sealed);
  }

  /** Null without any, and when they were erased in the meantime. */
  async usedChunks({ conversation_id, message_id, used_chunk_bytes }: MessageRow): Promise<UsedChunk[] | null> {
    if (used_chunk_bytes === undefined) return null;
    const sealed = await this.queries.execute(new UsedChunksOf(conversation_id, message_id));
    return sealed === null ? null : this.vault.openJson<UsedChunk[]>(sealed as Sealed);
  }

  /** A reply that was stopped before its first word has no part. */
  private async content({ content, reasoning }: MessageRow): Promise<ContentPart[]> {
    const [body, thoughts] = [await this.text(content), await this.text(reasoning)];
    return [
      ...(thoughts ? [{ content_type: 'reasoning', body: thoughts } as const] : []),
      ...(body ? [{ content_type: 'text', body } as const] : []),
    ];
  }
}
