import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { finished } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { HARMLESS, ServiceCalls } from '@parlance/calls';
import { dollars } from '@parlance/money';
import type { Cursor } from '@parlance/read-models';
import { foldersOf, type Period, spanOf } from '../../domain/export-period.ts';
import { ErasedAmong } from '../../projections/directory.ts';
import { type ConversationInHourRow, ConversationsInHour } from '../../projections/exports/export-index.ts';

/** The number of conversations whose content is requested at once. */
const PAGE = 100;
/** The longest row. A longer conversation has several rows in an hour, so that every row fits into memory. */
const ROW_CHARACTERS = 1024 * 1024;

/** A conversation as inference returns it. */
interface ExportedMessages {
  readonly conversation_id: string;
  readonly create_time: number | null;
  readonly messages: readonly { readonly message_id: string }[];
  readonly next: string | null;
}

/** Called between pages. Rejects to stop. */
export type BetweenPages = () => Promise<void>;

/**
 * Writes the rows of an hour to a file, one JSON object per line. A conversation whose content was erased keeps its row with its cost, and
 * has no messages. Only one page is in memory, however many conversations the hour has.
 */
@Injectable()
export class HourRows {
  constructor(
    private readonly queries: QueryBus,
    private readonly calls: ServiceCalls,
  ) {}

  async write(hour: Period, path: string, between: BetweenPages): Promise<void> {
    const file = createWriteStream(path);
    // A file error also rejects the waits below.
    const ended = finished(file);
    ended.catch(() => {});
    try {
      for (let after: Cursor | null = null; ;) {
        const { rows, next }: { rows: readonly ConversationInHourRow[]; next: Cursor | null } = await this.queries.execute(
          new ConversationsInHour(hour, PAGE, after),
        );
        await this.writePage(hour, rows, file);
        if (next === null) break;
        after = next;
        await between();
        await setImmediate();
      }
      file.end();
      await ended;
    } finally {
      file.destroy();
    }
  }

  private async writePage(hour: Period, rows: readonly ConversationInHourRow[], file: WriteStream): Promise<void> {
    const erased = await this.queries.execute(new ErasedAmong([...new Set(rows.map((row) => row.user_id))]));
    for (const row of rows) if (erased.has(row.user_id)) await append(file, new RowText(hour, row).end());
    const waiting = rows.filter((row) => !erased.has(row.user_id));
    const span = spanOf(hour);
    let text: RowText | null = null;
    for (let at = 0, last: string | null = null; at < waiting.length;) {
      const conversations = waiting
        .slice(at)
        .map(({ conversation_id }, index) => ({ conversation_id, ...(index === 0 && last !== null && { after: last }) }));
      const page = await this.calls.post<{ conversations: readonly ExportedMessages[] }>(
        'inference',
        '/internal/exports/messages',
        {
          ...span,
          conversations,
        },
        HARMLESS,
      );
      if (page.conversations.length === 0) throw new Error('inference returned no conversation');
      for (const { create_time, messages, next } of page.conversations) {
        text ??= new RowText(hour, waiting[at]!);
        text.createTime = create_time;
        for (const message of messages) if (text.add(message) > ROW_CHARACTERS) await append(file, text.cut());
        last = next;
        if (next !== null) break;
        await append(file, text.end());
        text = null;
        at++;
      }
    }
  }
}

async function append(file: WriteStream, line: string): Promise<void> {
  if (!file.write(line)) await once(file, 'drain');
}

/** The row of one conversation, while its messages arrive. */
class RowText {
  createTime: number | null = null;
  private messages: string[] = [];
  private length = 0;
  private lastMessageId: string | null = null;
  private parts = 0;

  constructor(
    private readonly hour: Period,
    private readonly row: ConversationInHourRow,
  ) {}

  /** Returns the characters of the row so far. */
  add(message: { readonly message_id: string }): number {
    const text = `${JSON.stringify(message.message_id)}:${JSON.stringify(message)}`;
    this.messages.push(text);
    this.length += text.length;
    if (this.lastMessageId === null || message.message_id > this.lastMessageId) this.lastMessageId = message.message_id;
    return this.length;
  }

  /** Returns the messages so far as a row. Later messages go to another row without the cost, so that sums are right. */
  cut(): string {
    const { user_id, conversation_id, nano_dollars, bot_id } = this.row;
    const line = JSON.stringify({
      PK: user_id,
      SK: `${user_id}#CONV#${conversation_id}`,
      MessageMap: `{${this.messages.join(',')}}`,
      TotalPrice: this.parts === 0 ? dollars(nano_dollars) : 0,
      CreateTime: this.createTime,
      LastMessageId: this.lastMessageId,
      BotId: bot_id,
      datehour: foldersOf(this.hour),
    });
    this.messages = [];
    this.length = 0;
    this.parts++;
    return `${line}\n`;
  }

  /** Returns the remaining messages as a row; empty if all messages are in earlier rows. */
  end(): string {
    return this.parts > 0 && this.messages.length === 0 ? '' : this.cut();
  }
}
