import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Instant, Refusal } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import { type Seal, Shredded, SubjectMoved, Vault } from '@parlance/privacy';
import { FileReader } from '../../adapters/files/file-reader.ts';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import { ExecuteConversation } from '../../commands/aggregates.ts';
import { conversationSubject } from '../../commands/conversation-subject.ts';
import { conversation, conversationStream } from '../../domain/conversation.ts';
import type { ImportedMessage, OwnImport } from '../../domain/conversation-import.ts';
import type { ConversationToImport, MessageToImport } from '../../http/imports/import-body.ts';
import { type ImportedFiles, importedFiles, type LeftFile } from './imported-files.ts';

export type ImportOutcome =
  | { readonly status: 'imported' | 'unchanged'; readonly left_files?: readonly LeftFile[] }
  | { readonly status: 'refused'; readonly code: string; readonly detail: string };

type Files = ImportedFiles['checked'];

/** Imports conversations of another product. Each part of a conversation is one append. */
@Injectable()
export class ConversationImports {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly vault: Vault,
    private readonly reader: FileReader,
    private readonly files: MessageFiles,
  ) {}

  /** `own`: set if the user imports. Rejects only with errors that may not occur on a retry. */
  async take(name: string, source: ConversationToImport, own?: OwnImport): Promise<ImportOutcome> {
    try {
      if (source.use_only) return await this.takeUse(name, source);
      // A repeat reports the same left-out files.
      const { checked, left } = await importedFiles(this.reader, source);
      const files: Files = checked.size > 0 && (await this.isImported(source)) ? new Map() : checked;
      const subject = conversationSubject(source.id, source.user_id);
      const { written } = await this.vault.sealing(subject, async (seal) => {
        const messages: ImportedMessage[] = [];
        for (const message of source.messages) messages.push(await this.sealed(source.id, message, files, seal));
        const { user_id: userId, bot_id: botId, part, model } = source;
        const facts = {
          title: seal.text(source.title),
          startedAt: source.started_at as Instant,
          lastMessageId: source.last_message_id,
          lastMessageAt: source.last_message_at as Instant,
          model,
          costNanoDollars: source.cost_nano_dollars,
        };
        const command = { type: 'Import', userId, botId, importName: name, part, ...facts, messages, ...(own && { own }) } as const;
        const done = await this.commands.execute(new ExecuteConversation(source.id, command, { companions: seal.companions }));
        if (done.written) seal.stored();
        return done;
      });
      return { status: written ? 'imported' : 'unchanged', ...(left.length > 0 && { left_files: left }) };
    } catch (error) {
      return refusedBy(error, source);
    }
  }

  private async takeUse(importName: string, given: ConversationToImport): Promise<ImportOutcome> {
    const { id, user_id: userId, bot_id: botId, last_message_at: usedAt, model, cost_nano_dollars: costNanoDollars } = given;
    if (botId === null) return { status: 'refused', code: 'invalid_conversation', detail: 'bot_id: A published API has a bot.' };
    const command = { type: 'ImportUse', userId, botId, importName, usedAt: usedAt as Instant, model, costNanoDollars } as const;
    const { written } = await this.commands.execute(new ExecuteConversation(id, command, {}));
    return { status: written ? 'imported' : 'unchanged' };
  }

  /** Files of a repeat are not stored again, because no event would name them. */
  private async isImported({ id, part }: ConversationToImport): Promise<boolean> {
    const { imported } = await this.streams.load(conversation, conversationStream(id));
    return imported !== undefined && part < imported.parts;
  }

  private async sealed(conversationId: string, given: MessageToImport, files: Files, seal: Seal): Promise<ImportedMessage> {
    if (isTurnOver()) await nextTurn();
    const { id, role, parent, at, model, text, reasoning, chunks, feedback } = given;
    const its = files.get(id);
    return {
      id,
      role,
      parentId: parent,
      at: at as Instant,
      model,
      content: text === null ? null : seal.text(text),
      ...(reasoning !== undefined && { reasoning: seal.text(reasoning) }),
      ...(its && { files: await this.files.store({ conversationId, messageId: id }, its, seal) }),
      ...(chunks && chunks.length > 0 && { usedChunks: { content: seal.json(chunks.map(asUsed)), sourceIds: idsOf(chunks) } }),
      ...(feedback && {
        feedback: {
          thumbsUp: feedback.thumbs_up,
          category: feedback.category,
          comment: feedback.comment === null ? null : seal.text(feedback.comment),
        },
      }),
    };
  }
}

type Chunk = NonNullable<MessageToImport['chunks']>[number];

/** Converts a chunk to the format of our replies. The other product does not store the heading and the score. */
const asUsed = (chunk: Chunk) => ({ ...chunk, content_type: 'text', heading: null, score: 0 });

const idsOf = (chunks: readonly Chunk[]) => [...new Set(chunks.map(({ source_id }) => source_id))];

function refusedBy(error: unknown, { id, user_id }: ConversationToImport): ImportOutcome {
  const refused = (code: string, detail: string) => ({ status: 'refused', code, detail }) as const;
  if (error instanceof SubjectMoved) return refused('conversation_id_taken', 'Another user has a conversation with this ID.');
  if (error instanceof Shredded)
    return error.subject === conversationSubject(id, user_id).id
      ? refused('conversation_deleted', 'This conversation was deleted after it was imported.')
      : refused('user_erased', 'This user was erased.');
  if (error instanceof Refusal && error.kind !== 'unavailable') return refused(error.code, error.message);
  throw error;
}
