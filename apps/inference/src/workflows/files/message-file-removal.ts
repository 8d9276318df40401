import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import type { FileRemovalRow, MessageFilesRow } from '../../projections/message-files.ts';
import { HoldsOnConversations } from '../holds/holds-on-conversations.ts';

type MessageKey = Pick<FileRemovalRow, 'conversation_id' | 'message_id'>;

/**
 * Removes the files of messages by retention rules: first the event that marks them as removed, then the objects, then the event that ends the
 * removal. Each step may be repeated after a crash or run in two processes at once.
 */
@Injectable()
export class MessageFileRemoval {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: MessageFiles,
    private readonly holds: HoldsOnConversations,
  ) {}

  /**
   * Does nothing if a hold keeps the conversation, or if the removal has already begun. Rejects with `conversation_not_found` (missing) when the
   * conversation no longer exists.
   */
  async expireBy(ruleId: string, { conversation_id, message_id, files }: MessageFilesRow): Promise<void> {
    const holds = await this.holds.of(conversation_id);
    const command = { type: 'ExpireFiles', messageId: message_id, files, ruleId, holds } as const;
    const once = `expire-files ${conversation_id}/${message_id}`;
    const { written } = await this.commands.execute(new ExecuteConversation(conversation_id, command, { once }));
    if (written) await this.end({ conversation_id, message_id });
  }

  /** Also continues an interrupted removal. A hold placed in the meantime keeps the files until it ends. Rejects as `expireBy` does, and with `object_store_unavailable` (unavailable). */
  async end({ conversation_id, message_id }: MessageKey): Promise<void> {
    if ((await this.holds.of(conversation_id)).length > 0) return;
    await this.files.remove({ conversationId: conversation_id, messageId: message_id });
    const once = `end-files ${conversation_id}/${message_id}`;
    await this.commands.execute(new ExecuteConversation(conversation_id, { type: 'EndFiles', messageId: message_id }, { once }));
  }
}
