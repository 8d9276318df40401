import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Sealed, Vault } from '@parlance/privacy';
import { withoutMarkers } from '@parlance/chat-models';
import { type FileDetails, MessageFiles } from '../../adapters/files/message-files.ts';
import { conversationSubject } from '../../commands/conversation-subject.ts';
import type { MessageFile } from '../../domain/conversation-events.ts';
import { conversationNotFound } from '../../domain/conversation-refusals.ts';
import { MAX_SNAPSHOT_BYTES, SNAPSHOT_PAGE_BYTES, SNAPSHOT_PAGE_MESSAGES } from '../../domain/shares/share-limits.ts';
import { shareTooLarge } from '../../domain/shares/share-refusals.ts';
import type { MessageRow } from '../../projections/messages/message-rows.ts';
import { UsedChunksOf } from '../../projections/messages/used-chunks.ts';

export interface SharedChunk {
  readonly content: string;
  readonly source: string;
  readonly source_name: string;
  readonly page_number: number | null;
  readonly heading: string | null;
  readonly rank: number;
}

/** A file of a shared message, with its key. */
export interface SharedFile {
  readonly id: string;
  readonly kind: MessageFile['kind'];
  readonly mediaType: string;
  readonly bytes: number;
  readonly details: FileDetails;
}

/** A message in a snapshot, without reasoning, tool calls and their results. */
export interface SnapshotMessage {
  readonly role: MessageRow['role'];
  readonly text: string;
  readonly model: string;
  readonly at: number;
  readonly failed?: true;
  /** Set if the owner shares attachments. */
  readonly files?: readonly SharedFile[];
  /** Set if the owner shares sources. */
  readonly chunks?: readonly SharedChunk[];
}

export interface SnapshotPage {
  readonly messages: readonly SnapshotMessage[];
}

export interface Included {
  readonly attachments: boolean;
  readonly sources: boolean;
}

/** Creates the pages of a snapshot from the rows of its messages. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
    private readonly files: MessageFiles,
  ) {}

  /**
   * The pages, sealed under the conversation's key, so that they become unreadable when it is deleted. Throws `conversation_not_found`
   * (missing) and `share_too_large` (too_large).
   */
  async pages(conversationId: string, userId: string, path: readonly MessageRow[], included: Included): Promise<readonly Sealed[]> {
    const pages: Sealed[] = [];
    let [page, pageBytes, bytes]: [string[], number, number] = [[], 0, 0];
    const end = async () => {
      pages.push(await this.vault.seal(conversationSubject(conversationId, userId), `{"messages":[${page.join()}]}`));
      [page, pageBytes] = [[], 0];
    };
    for (const row of path) {
      if (isTurnOver()) await nextTurn();
      const message = JSON.stringify(await this.message(row, included));
      const its = Buffer.byteLength(message);
      bytes += its;
      if (bytes > MAX_SNAPSHOT_BYTES) throw shareTooLarge();
      if (page.length === SNAPSHOT_PAGE_MESSAGES || (page.length > 0 && pageBytes + its > SNAPSHOT_PAGE_BYTES)) await end();
      page.push(message);
      pageBytes += its;
    }
    if (page.length > 0) await end();
    return pages;
  }

  private async message(row: MessageRow, { attachments, sources }: Included): Promise<SnapshotMessage> {
    const { role, model, status, submitted_at } = row;
    const text = row.content === null ? '' : await this.opened(this.vault.open(row.content as Sealed));
    const chunks = sources ? await this.chunks(row) : null;
    const files = attachments && !row.files_removed ? await Promise.all((row.files ?? []).map((file) => this.file(file))) : [];
    return {
      role,
      // Markers are meaningless without their sources.
      text: row.used_chunk_bytes !== undefined && !sources ? withoutMarkers(text) : text,
      model,
      at: Instant.toSeconds(submitted_at),
      ...(status === 'failed' && { failed: true as const }),
      ...(files.length > 0 && { files }),
      ...(chunks && { chunks }),
    };
  }

  private async chunks({ conversation_id, message_id, used_chunk_bytes }: MessageRow): Promise<readonly SharedChunk[] | null> {
    if (used_chunk_bytes === undefined) return null;
    const sealed = await this.opened(this.queries.execute(new UsedChunksOf(conversation_id, message_id)));
    const chunks = await this.opened(this.vault.openJson<SharedChunk[]>(sealed as Sealed));
    return chunks.map(({ content, source, source_name, page_number, heading, rank }) => {
      return { content, source, source_name, page_number, heading, rank };
    });
  }

  private async file(file: MessageFile): Promise<SharedFile> {
    const details = await this.opened(this.files.details(file));
    const { id, kind, mediaType, bytes } = file;
    return { id, kind, mediaType, bytes, details };
  }

  /** Throws for null, which means that the conversation was deleted in the meantime, because a snapshot is never incomplete. */
  private async opened<Value>(opening: Promise<Value | null>): Promise<Value> {
    const value = await opening;
    if (value === null) throw conversationNotFound();
    return value;
  }
}
