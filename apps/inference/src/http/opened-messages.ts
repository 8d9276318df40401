import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Sealed, Vault } from '@parlance/privacy';
import type { MessageInConversation, MessageRow } from '../projections/messages.ts';
import { UsedChunksOf } from '../projections/used-chunks.ts';
import type { ContentPart, MessageAnswer, UsedChunk } from './answers.ts';

/** Opens what is sealed of a message. */
@Injectable()
export class OpenedMessages {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** As `GET /conversation/{conversationId}/{messageId}` answers a message that is not being written. */
  async answer({ message, conversation }: MessageInConversation): Promise<MessageAnswer> {
    const chunks = await this.usedChunks(message);
    return {
      conversation_id: conversation.conversation_id,
      message: {
        message_id: message.message_id,
        role: message.role,
        content: await this.content(message),
        model: message.model,
        parent: message.parent,
        ...(message.stop_reason && { stop_reason: message.stop_reason }),
        ...(chunks && { used_chunks: chunks }),
      },
      create_time: conversation.started_at / 1000,
      status: message.status as MessageAnswer['status'],
      ...(message.error && { error: message.error }),
    };
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
