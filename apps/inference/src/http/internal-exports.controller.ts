import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Internal } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, Length, Min, ValidateNested } from 'class-validator';
import { type MessagesOfHour, MessagesInSpan } from '../projections/messages-in-hour.ts';
import type { MessageInMap } from './answers.ts';
import { OpenedMessages } from './opened-messages.ts';

class RequestedConversation {
  @Length(1, 128) conversation_id!: string;
  /** The last message of the page before. */
  @IsOptional() @Length(1, 128) after?: string;
}

class SpanBody {
  /** Start and end of the span in epoch milliseconds. The end is exclusive. */
  @IsInt() @Min(0) from!: number;
  @IsInt() @Min(0) to!: number;
  @IsArray() @ArrayMaxSize(200) @ValidateNested({ each: true }) @Type(() => RequestedConversation) conversations!: RequestedConversation[];
}

interface ExportedMessages {
  readonly conversation_id: string;
  /** Epoch seconds, with fractions. Null for a conversation that is deleted or erased. */
  readonly create_time: number | null;
  /** The lowest ID first. */
  readonly messages: readonly MessageInMap[];
  /** The last message of this page, if others follow. */
  readonly next: string | null;
}

/** The opened content of conversations, for the exports. */
@Controller('internal/exports')
@Internal()
export class InternalExportsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly opened: OpenedMessages,
  ) {}

  /** Messages of the first conversations that fit into an answer, at least one. Leaves out erased content. */
  @Post('messages')
  @HttpCode(200)
  async messages(@Body() { from, to, conversations }: SpanBody): Promise<{ conversations: readonly ExportedMessages[] }> {
    const found = await this.queries.execute(new MessagesInSpan(conversations, from, to));
    const answers: ExportedMessages[] = [];
    for (const each of found) answers.push(await this.exported(each));
    return { conversations: answers };
  }

  private async exported({ conversation_id, started_at, messages, feedback, next }: MessagesOfHour): Promise<ExportedMessages> {
    const children = childrenAmong(messages);
    const shown: MessageInMap[] = [];
    for (const message of messages) {
      const { message_id } = message;
      const details = { children: children.get(message_id) ?? [], feedback: feedback.get(message_id) ?? null };
      shown.push(await this.opened.shown(message, details));
    }
    return { conversation_id, create_time: started_at === null ? null : started_at / 1_000, messages: shown, next };
  }
}

/** The children of messages within this page. Messages of other pages name their parents. */
function childrenAmong(messages: MessagesOfHour['messages']): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { message_id, parent } of messages) {
    if (parent === null) continue;
    const known = children.get(parent);
    if (known) known.push(message_id);
    else children.set(parent, [message_id]);
  }
  return children;
}
