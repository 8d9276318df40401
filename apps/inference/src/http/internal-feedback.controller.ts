import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Internal } from '@parlance/http';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { FeedbackOn } from '../projections/conversations-of-user.ts';
import { OpenedMessages } from './opened-messages.ts';

class RepliesBody {
  /** Each as conversation/reply. */
  @IsArray() @ArrayMaxSize(100) @Length(1, 260, { each: true }) replies!: string[];
}

/** Comments on replies, for services that show them to administrators. */
@Controller('internal/feedback')
@Internal()
export class InternalFeedbackController {
  constructor(
    private readonly queries: QueryBus,
    private readonly opened: OpenedMessages,
  ) {}

  /** Existing comments, without erased ones. */
  @Post('comments')
  @HttpCode(200)
  async comments(@Body() { replies }: RepliesBody): Promise<{ comments: Readonly<Record<string, string>> }> {
    const comments: Record<string, string> = {};
    for (const [key, row] of await this.queries.execute(new FeedbackOn(replies))) {
      const comment = await this.opened.text(row.comment);
      if (comment !== null) comments[key] = comment;
    }
    return { comments };
  }
}
