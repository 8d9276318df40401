import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { Instant } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import { MessageFiles } from '../adapters/files/message-files.ts';
import type { MessageFile } from '../domain/conversation-events.ts';
import type { FeedbackRow } from '../projections/conversation-list.ts';
import { type MessageDetails, DetailsOfMessage } from '../projections/conversations.ts';
import type { MessageInConversation } from '../projections/messages/message-by-id.ts';
import { messageKey, type MessageRow } from '../projections/messages/message-rows.ts';
import { UsedChunksOf } from '../projections/messages/used-chunks.ts';
import { ToolRoundsOf } from '../projections/messages/tool-calls.ts';
import { type OpenedRound, openedRounds } from '../workflows/tools/opened-rounds.ts';
import { partsOf } from './content-parts.ts';
import type { ContentPart, Feedback, MessageAnswer, MessageInMap, PendingCall, UsedChunk } from './answers.ts';

/** Opens the sealed content of messages. */
@Injectable()
export class OpenedMessages {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly files: MessageFiles,
  ) {}

  /** The answer of `GET /conversation/{conversationId}/{messageId}` for a message that is not being written. */
  async answer({ message, conversation }: MessageInConversation): Promise<MessageAnswer> {
    const { status, error, ...shown } = await this.shown(message, await this.queries.execute(new DetailsOfMessage(message)));
    return {
      conversation_id: conversation.conversation_id,
      message: shown,
      create_time: conversation.started_at / 1000,
      status: status as MessageAnswer['status'],
      ...(error && { error }),
    };
  }

  /** The message as `GET /conversation/{conversationId}` shows it. Lets other work run in between. */
  async shown(message: MessageRow, { children, feedback }: MessageDetails): Promise<MessageInMap> {
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

  /** Null if there is no text, or it was erased. */
  async text(sealed: string | null | undefined): Promise<string | null> {
    return sealed === null || sealed === undefined ? null : this.vault.open(sealed as Sealed);
  }

  /** Null if there are none, or they were erased in the meantime. */
  async usedChunks({ conversation_id, message_id, used_chunk_bytes }: MessageRow): Promise<UsedChunk[] | null> {
    if (used_chunk_bytes === undefined) return null;
    const sealed = await this.queries.execute(new UsedChunksOf(conversation_id, message_id));
    return sealed === null ? null : this.vault.openJson<UsedChunk[]>(sealed as Sealed);
  }

  /** Files come before the text, and images that a reply has made after it. Tool calls are at the positions where they were made. */
  private async content(message: MessageRow): Promise<ContentPart[]> {
    const parts = await Promise.all((message.files ?? []).map((file) => this.filePart(file, message.files_removed)));
    const texts = partsOf(await this.text(message.reasoning), await this.text(message.content), await this.rounds(message));
    const files = parts.filter((part) => part !== null);
    return message.role === 'user' ? [...files, ...texts] : [...texts, ...files];
  }

  /** The rounds of a reply that has called tools. Empty for other messages, and after an erasure. */
  async rounds({ conversation_id, message_id, tools }: MessageRow): Promise<readonly OpenedRound[]> {
    if (!tools) return [];
    const rows = await this.queries.execute(new ToolRoundsOf(messageKey(conversation_id, message_id)));
    return (await openedRounds(this.vault, rows)) ?? [];
  }

  /** The tool calls that await the user's decision. */
  async pending(message: MessageRow): Promise<PendingCall[]> {
    const round = (await this.rounds(message)).at(-1);
    const calls = round?.calls.filter(({ approval }) => approval === 'pending') ?? [];
    const expires_at = Instant.toSeconds(round?.approvalUntil ?? message.submitted_at);
    return calls.map(({ callId: call_id, name, input }) => ({ call_id, name, input: { ...input }, expires_at }));
  }

  /** Null if the file was erased. */
  private async filePart(file: MessageFile, isRemoved?: true): Promise<ContentPart | null> {
    const details = await this.files.details(file);
    if (!details) return null;
    const its = {
      file_id: file.id,
      media_type: file.mediaType,
      size: file.bytes,
      sha256: details.sha256,
      ...(isRemoved && { status: 'removed' as const }),
    };
    return file.kind === 'image'
      ? { content_type: 'image', ...its }
      : { content_type: 'attachment', file_name: details.name ?? '', ...its };
  }
}
