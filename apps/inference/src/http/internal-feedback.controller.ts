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

interface RatedReplies {
  /** Existing comments, by reply. */
  readonly comments: Readonly<Record<string, string>>;
  /** The user of each reply whose conversation exists. */
  readonly users: Readonly<Record<string, string>>;
}

/** Comments on replies, for services that show them to administrators. */
@Controller('internal/feedback')
@Internal()
export class InternalFeedbackController {
  constructor(
    private readonly queries: QueryBus,
    private readonly opened: OpenedMessages,
  ) {}

  /** Without conversations that are deleted or being deleted. */
  @Post('comments')
  @HttpCode(200)
  async comments(@Body() { replies }: RepliesBody): Promise<RatedReplies> {
    const [comments, users]: [Record<string, string>, Record<string, string>] = [{}, {}];
    for (const [key, row] of await this.queries.execute(new FeedbackOn(replies))) {
      users[key] = row.user_id;
      const comment = await this.opened.text(row.comment);
      if (comment !== null) comments[key] = comment;
    }
    return { comments, users };
  }
}
