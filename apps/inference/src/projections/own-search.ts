import { Injectable } from '@nestjs/common';
import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { type Sealed, Vault } from '@parlance/privacy';
import { type Cursor, ReadModels } from '@parlance/read-models';
import { type ListedConversationRow, listedRows } from './conversation-list.ts';
import { cursorAfter } from './conversations.ts';
import { messageKey, type MessageRow, messageRows, messagesOf } from './messages/message-rows.ts';
import { type Excerpt, excerptOf, hasAll, type Word } from './search-words.ts';

/** Bytes of sealed text that one request opens. The message that exceeds it is still opened completely. */
export const SEARCHED_BYTES = 8 * 1024 * 1024;
/** Conversations that one request searches. */
export const SEARCHED_CONVERSATIONS = 1_000;
/** Time for one request, so that a busy database leads to an answer with fewer results instead of none. Its `next_token` continues the search. */
export const SEARCHED_MILLIS = 5_000;
/** Matching messages that are shown for each conversation. */
export const HIGHLIGHTS_SHOWN = 3;

const CONVERSATIONS_READ_AT_ONCE = 50;
const MESSAGES_READ_AT_ONCE = 200;
const BYTES_READ_AT_ONCE = 512 * 1024;
/** Bytes of a row without its text. */
const ROW_BYTES = 250;

export interface Highlight extends Excerpt {
  readonly message_id: string;
}

export interface Found {
  readonly row: ListedConversationRow;
  readonly highlights: readonly Highlight[];
}

/** How far a search has progressed: after a conversation, or inside one before a message. */
export interface SearchPosition {
  readonly after: Cursor | null;
  readonly inside?: { readonly id: string; readonly before: string | null };
}

/** Searches a user's conversations by opening their messages. The texts are not kept. */
@Injectable()
export class OwnSearch {
  /** The last running search of each user. In a process, a user's searches run one after another. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly models: ReadModels,
    private readonly vault: Vault,
  ) {}

  /** Finds conversations with all words in their title or in one of their messages, the one with the newest message first. */
  find(userId: string, words: readonly Word[], limit: number, from: SearchPosition | null) {
    const before = this.running.get(userId) ?? Promise.resolve();
    const search = before.catch(() => undefined).then(() => new Search(this.models, this.vault, words, limit).of(userId, from));
    const settled = search.finally(() => {
      if (this.running.get(userId) === settled) this.running.delete(userId);
    });
    this.running.set(userId, settled);
    return settled;
  }
}

/** The search of one request. */
class Search {
  private readonly found: Found[] = [];
  private bytes = SEARCHED_BYTES;
  private conversations = SEARCHED_CONVERSATIONS;
  private readonly endsAt = performance.now() + SEARCHED_MILLIS;
  /** False until the first messages were read, so that each request makes progress. */
  private hasRead = false;

  constructor(
    private readonly models: ReadModels,
    private readonly vault: Vault,
    private readonly words: readonly Word[],
    private readonly limit: number,
  ) {}

  /** Whether the rest is left to the next request. */
  private get isSpent(): boolean {
    return this.bytes <= 0 || (this.hasRead && performance.now() >= this.endsAt);
  }

  async of(userId: string, from: SearchPosition | null): Promise<{ found: readonly Found[]; next: SearchPosition | null }> {
    const { found } = this;
    let after = from?.after ?? null;
    if (from?.inside) {
      const row = await this.models.get(listedRows, from.inside.id);
      const inside = row?.list === userId ? await this.searchConversation(row, from.inside.before) : null;
      if (inside) return { found, next: { after, inside } };
    }
    for (;;) {
      const query = { index: 'byActivity', where: { list: userId }, order: 'desc', limit: CONVERSATIONS_READ_AT_ONCE } as const;
      const page = await this.models.find(listedRows, { ...query, ...(after && { after }) });
      for (const row of page.rows) {
        if (found.length === this.limit || this.isSpent || this.conversations === 0) return { found, next: { after } };
        this.conversations -= 1;
        const inside = await this.searchConversation(row, null);
        after = cursorAfter(row);
        if (inside) return { found, next: { after, inside } };
      }
      if (page.next === null) return { found, next: null };
    }
  }

  /** Searches a conversation from its newest message, or from before a message. Returns where to continue if the request is spent before a match. */
  private async searchConversation(row: ListedConversationRow, from: string | null): Promise<SearchPosition['inside'] | null> {
    const id = row.conversation_id;
    const highlights: Highlight[] = [];
    const isInTitle = row.title !== null && hasAll((await this.opened(row.title)) ?? '', this.words);
    let before = from;
    while (highlights.length < HIGHLIGHTS_SHOWN) {
      if (this.isSpent) {
        if (highlights.length === 0 && !isInTitle) return { id, before };
        break;
      }
      const { rows, next } = await this.models.find(messageRows, {
        ...messagesOf(id),
        order: 'desc',
        limit: MESSAGES_READ_AT_ONCE,
        bytes: Math.min(BYTES_READ_AT_ONCE, this.bytes),
        ...(before !== null && { after: [messageKey(id, before)] }),
      });
      this.hasRead = true;
      await this.match(rows, highlights);
      before = rows.at(-1)?.message_id ?? before;
      if (next === null) break;
    }
    if (highlights.length > 0 || isInTitle) this.found.push({ row, highlights });
    return null;
  }

  private async match(rows: readonly MessageRow[], highlights: Highlight[]): Promise<void> {
    for (const { message_id, content } of rows) {
      this.bytes -= ROW_BYTES + (content?.length ?? 0);
      const text = content === null ? null : await this.opened(content);
      const excerpt = text === null ? null : await excerptOf(text, this.words);
      if (excerpt) highlights.push({ message_id, ...excerpt });
      if (highlights.length === HIGHLIGHTS_SHOWN) return;
    }
  }

  private async opened(sealed: string): Promise<string | null> {
    if (isTurnOver()) await nextTurn();
    return this.vault.open(sealed as Sealed);
  }
}
