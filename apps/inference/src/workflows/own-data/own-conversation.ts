import { QueryBus } from '@nestjs/cqrs';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Sealed, Tampered, Vault } from '@parlance/privacy';
import { MessageFiles } from '../../adapters/files/message-files.ts';
import type { ArchiveEntry } from '../../adapters/own-data/archive.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';
import { titleByRule, UNTITLED } from '../../domain/title-rule.ts';
import { partsOf } from '../../http/content-parts.ts';
import type { FeedbackRow, ListedConversationRow } from '../../projections/conversation-list.ts';
import { FirstExchange } from '../../projections/conversations.ts';
import { messageKey, type MessageRow } from '../../projections/messages/message-rows.ts';
import { ToolRoundsOf } from '../../projections/messages/tool-calls.ts';
import { UsedChunksOf } from '../../projections/messages/used-chunks.ts';
import { type MessagesToExport, MessagesToExportOf } from '../../projections/own-data/conversations-to-export.ts';
import { openedRounds } from '../tools/opened-rounds.ts';
import {
  asJson,
  asMarkdown,
  type ExportedFeedback,
  type ExportedMessage,
  type ExportedPart,
  type ExportedSource,
} from './conversation-format.ts';
import type { LeftOutList } from './left-out.ts';

/** Thrown when a conversation is deleted or erased while it is being read. */
export class ConversationGone extends Error {}

/** The sources of sealed content. */
export interface Sources {
  readonly queries: QueryBus;
  readonly vault: Vault;
  readonly files: MessageFiles;
}

const EXTENSION = /\.([a-z0-9]{1,10})$/i;

/** One conversation of an archive. Produces its entries page by page. A conversation that fits on one page is read only once. */
export class OwnConversation {
  hasFeedback = false;
  /** Set if the conversation has a single page: its rows, and its messages once they are opened. */
  private wholeRows: MessagesToExport | null = null;
  private wholePage: readonly ExportedMessage[] | null = null;
  /** IDs of files that are not in the archive. */
  private readonly missing = new Set<string>();

  constructor(
    private readonly row: ListedConversationRow,
    private readonly sources: Sources,
    private readonly leftOut: LeftOutList,
  ) {}

  /** Files come first, because the texts link only to files that are in the archive. Throws `ConversationGone`. */
  async *entries(): AsyncGenerator<ArchiveEntry> {
    const { conversation_id: id, bot_id: botId, started_at: startedAt } = this.row;
    for await (const page of this.rows())
      for (const { message_id, status, files = [], files_removed } of page.messages) {
        if (!isOver(status)) this.leftOut.add('message', messageKey(id, message_id), 'reply_in_progress');
        else if (files_removed) for (const { id: fileId } of files) this.leaveOut(fileId, 'file_removed_by_rule');
        else for (const file of files) yield* this.file(file);
      }
    const place = { projectId: this.row.project_id ?? null, isPinned: typeof this.row.pinned_list === 'string' };
    const conversation = { id, title: await this.title(), botId, startedAt, ...place };
    yield { path: `conversations/${id}.json`, compress: true, parts: await this.withFirstPageRead(asJson(conversation, this.messages())) };
    yield { path: `conversations/${id}.md`, compress: true, parts: asMarkdown(conversation, this.messages()) };
  }

  /** The ratings of the conversation's replies. */
  async *ratings(): AsyncGenerator<ExportedFeedback & { readonly conversation_id: string; readonly message_id: string }> {
    for await (const { feedback } of this.rows())
      for (const [message_id, row] of feedback)
        yield { conversation_id: this.row.conversation_id, message_id, ...(await this.feedback(row)) };
  }

  private async *rows(): AsyncGenerator<MessagesToExport> {
    if (this.wholeRows) return yield this.wholeRows;
    let after: string | null = null;
    do {
      const page: MessagesToExport | null = await this.sources.queries.execute(new MessagesToExportOf(this.row.conversation_id, after));
      if (!page) throw new ConversationGone();
      if (page.feedback.size > 0) this.hasFeedback = true;
      if (after === null && page.next === null) this.wholeRows = page;
      yield page;
      after = page.next;
    } while (after !== null);
  }

  private async *messages(): AsyncGenerator<readonly ExportedMessage[]> {
    if (this.wholePage) return yield this.wholePage;
    let pages = 0;
    for await (const { messages, feedback, next } of this.rows()) {
      const opened: ExportedMessage[] = [];
      for (const row of messages.toSorted(byTime))
        if (isOver(row.status)) opened.push(await this.message(row, feedback.get(row.message_id)));
      if (pages++ === 0 && next === null) this.wholePage = opened;
      yield opened;
    }
  }

  /** Reads the first page before the entry begins, so that a short conversation that was deleted can still be left out. */
  private async withFirstPageRead(parts: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
    const read: string[] = [];
    while (!this.wholePage && read.length < 2) {
      const { value, done } = await parts.next();
      if (done) break;
      read.push(value);
    }
    return (async function* () {
      yield* read;
      yield* parts;
    })();
  }

  private async title(): Promise<string> {
    const { title, conversation_id } = this.row;
    if (title !== null) return (await this.opened(title)) || UNTITLED;
    const { question } = await this.sources.queries.execute(new FirstExchange(conversation_id));
    return titleByRule(question === null ? '' : await this.opened(question));
  }

  private async message(row: MessageRow, rating: FeedbackRow | undefined): Promise<ExportedMessage> {
    if (isTurnOver()) await nextTurn();
    const sources = await this.chunks(row);
    return {
      id: row.message_id,
      parent_id: row.parent,
      role: row.role,
      model: row.role === 'user' ? null : row.model,
      create_time: row.submitted_at,
      content: await this.content(row),
      feedback: rating ? await this.feedback(rating) : null,
      ...(sources && { sources }),
      ...(row.error && { error: row.error }),
    };
  }

  private async content(row: MessageRow): Promise<ExportedPart[]> {
    const rows = row.tools ? await this.sources.queries.execute(new ToolRoundsOf(messageKey(row.conversation_id, row.message_id))) : [];
    const rounds = this.required(await openedRounds(this.sources.vault, rows));
    const [reasoning, text] = [await this.openedIfAny(row.reasoning), await this.openedIfAny(row.content)];
    const files: ExportedPart[] = [];
    for (const file of row.files ?? []) {
      const { name } = this.required(await this.sources.files.details(file));
      const path = this.missing.has(file.id) ? null : this.pathOf(file, name);
      files.push({ type: 'file', path, name, media_type: file.mediaType, bytes: file.bytes });
    }
    const parts = partsOf(reasoning, text, rounds).flatMap(exportedParts);
    return row.role === 'user' ? [...files, ...parts] : [...parts, ...files];
  }

  private async chunks({ conversation_id, message_id, used_chunk_bytes }: MessageRow): Promise<ExportedSource[] | null> {
    if (used_chunk_bytes === undefined) return null;
    const sealed = this.required(await this.sources.queries.execute(new UsedChunksOf(conversation_id, message_id)));
    const chunks = this.required(await this.sources.vault.openJson<ExportedSource[]>(sealed as Sealed));
    return chunks.map(({ rank, source, source_name, page_number, heading, content }) => {
      return { rank, source, source_name, page_number, heading, content };
    });
  }

  private async feedback({ thumbs_up, category, comment }: FeedbackRow): Promise<ExportedFeedback> {
    return { thumbs_up, category, comment: await this.openedIfAny(comment) };
  }

  /** Reads the whole file into memory, so that a damaged file does not damage the archive. */
  private async *file(file: MessageFile): AsyncGenerator<ArchiveEntry> {
    const { conversation_id: id } = this.row;
    const details = this.required(await this.sources.files.details(file));
    const bytes = await this.sources.files.bytes(id, file, details).catch((error: unknown) => {
      if (error instanceof Tampered) return error;
      throw error;
    });
    if (bytes instanceof Buffer) return yield { path: this.pathOf(file, details.name), compress: false, parts: [bytes] };
    this.leaveOut(file.id, bytes === null ? 'file_not_found' : 'file_damaged');
  }

  private leaveOut(fileId: string, reason: string): void {
    this.missing.add(fileId);
    this.leftOut.add('file', `${this.row.conversation_id}/${fileId}`, reason);
  }

  private pathOf({ id, mediaType }: MessageFile, name: string | null): string {
    const extension = name === null ? mediaType.split('/')[1] : EXTENSION.exec(name)?.[1];
    return `files/${this.row.conversation_id}/${id}${extension === undefined ? '' : `.${extension}`}`;
  }

  private async openedIfAny(sealed: string | null | undefined): Promise<string | null> {
    return sealed === null || sealed === undefined ? null : this.opened(sealed);
  }

  private async opened(sealed: string): Promise<string> {
    return this.required(await this.sources.vault.open(sealed as Sealed));
  }

  /** Throws `ConversationGone` for null, which means that the conversation was deleted in the meantime. */
  private required<Value>(value: Value | null): Value {
    if (value === null) throw new ConversationGone();
    return value;
  }
}

/** A message and its reply have the same time, and their IDs do not show the order, so the user's message comes first. */
const byTime = (a: MessageRow, b: MessageRow): number =>
  a.submitted_at - b.submitted_at || Number(a.role < b.role) - Number(b.role < a.role);

const isOver = (status: MessageRow['status']): boolean => status === 'completed' || status === 'failed';

function exportedParts(part: ReturnType<typeof partsOf>[number]): ExportedPart[] {
  switch (part.content_type) {
    case 'text':
    case 'reasoning':
      return [{ type: part.content_type, text: part.body }];
    case 'tool_use':
      return [{ type: 'tool_use', id: part.body.tool_use_id, name: part.body.name, input: part.body.input }];
    case 'tool_result': {
      const { tool_use_id: id, name, status, content: text } = part.body;
      return [{ type: 'tool_result', id, name, status, text }];
    }
    default:
      return [];
  }
}
