import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import { Clock, EventStreams, type SentEvent } from '@parlance/foundation';
import { Caller, LongAnswer, SignedIn } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ExecuteNotificationReads } from '../../commands/aggregates.ts';
import type { LogPositions } from '../../domain/log-positions.ts';
import { MOST_NOTIFICATIONS } from '../../projections/notifications/notifications.ts';
import { NotificationLists } from '../../workflows/notifications/notification-list.ts';
import { type Following, NotificationStream, positionsOf } from '../../workflows/notifications/notification-stream.ts';
import { OpenStreams } from '../open-streams.ts';
import { notificationAnswer, NotificationList, notificationListAnswer } from './notification-answers.ts';

/** The most streams in one process. */
const MOST_STREAMS = 2_000;
/** The most streams of one user in one process, such as tabs of a browser. */
const MOST_STREAMS_OF_USER = 10;
const MINUTE_MILLIS = 60_000;
const LONGEST_POSITION = 200;

const DESCRIPTION =
  'Server-sent events `notification`: `data` is a Notification in JSON, `id` is its position. The stream ends with the session, when the user has left a group, and after `tokenValidMinutes`: resume it with Last-Event-ID.';

class NotificationsQuery {
  @IsOptional() @IsInt() @Min(1) @Max(MOST_NOTIFICATIONS) limit: number = 20;
}

class StreamQuery {
  /** `position` of the list, for clients that cannot send the header Last-Event-ID. Defaults to now. */
  @IsOptional() @Length(1, LONGEST_POSITION) after?: string;
}

class NotificationsReadBody {
  /** `position` of the list, or the ID of an event of the stream. */
  @Length(1, LONGEST_POSITION) up_to!: string;
}

@Controller('user/me/notifications')
export class NotificationsController {
  private readonly streams = new OpenStreams(MOST_STREAMS, MOST_STREAMS_OF_USER);

  constructor(
    private readonly commands: CommandBus,
    private readonly lists: NotificationLists,
    private readonly stream: NotificationStream,
    private readonly events: EventStreams,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get()
  @SignedIn()
  @Summary('List your notifications of the last 90 days, at most 100, and how many of them are unread.')
  @Answers(200, NotificationList)
  async list(@Caller() caller: Caller, @Query() { limit }: NotificationsQuery): Promise<NotificationList> {
    return notificationListAnswer(await this.lists.of(caller), limit);
  }

  @Post('read')
  @SignedIn()
  @HttpCode(204)
  @Summary('Mark your notifications up to a position as read. Later ones stay unread.')
  @Answers(204)
  @Refuses('invalid_position', 400)
  async read(@Caller() caller: Caller, @Body() { up_to }: NotificationsReadBody): Promise<void> {
    const requested = positionsOf(up_to);
    if (!requested)
      throw refuse('invalid', 'invalid_position', 'The field up_to must be a position that the list of notifications returned.');
    // A position that is too high would mark notifications that do not exist yet, and each one in between would be another event.
    const upTo = await this.lists.positionsUpTo(caller, requested);
    await this.commands.execute(new ExecuteNotificationReads(caller.userId, { type: 'MarkRead', upTo }));
  }

  @Get('stream')
  @LongAnswer()
  @SignedIn()
  @Summary('Follow your new notifications, or resume a broken stream with Last-Event-ID.')
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream', description: DESCRIPTION })
  @Refuses('invalid_last_event_id', 400)
  @Refuses('too_many_streams', 503)
  async follow(
    @Caller() caller: Caller,
    @Query() { after }: StreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.streams.during(caller.userId, async () => {
      const from = await this.positionsAfter(lastEventId || after, caller);
      const now = () => this.clock.now();
      const until = Instant.plus(now(), this.config.tokenValidMinutes * MINUTE_MILLIS);
      await this.events.send(reply, (gone) => this.sent({ user: caller, from, until, now }, gone));
    });
  }

  private async *sent(following: Following, gone: AbortSignal): AsyncGenerator<SentEvent> {
    for await (const { id, notification } of this.stream.after(following, gone))
      yield { id, event: 'notification', data: notificationAnswer(notification) };
  }

  private async positionsAfter(eventId: string | undefined, caller: Caller): Promise<LogPositions> {
    if (eventId === undefined) return this.lists.newestPositions(caller);
    const positions = positionsOf(eventId);
    if (positions) return positions;
    throw refuse('invalid', 'invalid_last_event_id', 'The header Last-Event-ID must be the ID of an event of this stream.');
  }
}
