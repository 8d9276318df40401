import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Instant, refuse } from '@parlance/decider';
import { Clock, EventStreams } from '@parlance/foundation';
import { Audited, AuditRecorder, Caller, LongAnswer, Needs } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { IsInt, IsOptional, Length, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { LogPositions } from '../../domain/log-positions.ts';
import { EventsOfServices } from '../../workflows/deliveries/events-of-services.ts';
import { OpenStreams } from '../open-streams.ts';
import { EVENT_TYPES } from './webhook-bodies.ts';

const GROUP = 'Admin';
/** The most streams in one process, because each reads the logs. */
const MOST_STREAMS = 20;
const LONGEST_TYPES = 8_000;
const MINUTE_MILLIS = 60_000;
const LATEST_SECONDS = 253_402_300_799;

const DESCRIPTION =
  'Server-sent events. `event` is the type, `data` the event in JSON as in `/asyncapi.json`, `id` is for `Last-Event-ID`. The stream ends with the session, when the caller leaves the group, and after `tokenValidMinutes`: resume it.';

class EventsQuery {
  /** Names of messages of `/asyncapi.json`, comma-separated. Defaults to all. */
  @IsOptional() @Length(1, LONGEST_TYPES) types?: string;
  /** Epoch seconds. Events from then on. Defaults to now if there is no Last-Event-ID. */
  @IsOptional() @IsInt() @Min(0) @Max(LATEST_SECONDS) from?: number;
}

@Controller('admin/events')
@Needs(GROUP)
export class EventsController {
  private readonly open = new OpenStreams(MOST_STREAMS, MOST_STREAMS);

  constructor(
    private readonly events: EventsOfServices,
    private readonly streams: EventStreams,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get()
  @LongAnswer()
  @Audited('view_events', 'events')
  @Summary('Follow the public events of all services, or resume a broken stream with Last-Event-ID.')
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream', description: DESCRIPTION })
  @Refuses('invalid_last_event_id', 400)
  @Refuses('unknown_event_type', 400)
  @Refuses('too_many_streams', 503)
  async follow(
    @Caller() { userId, sessionId }: Caller,
    @Query() { types, from }: EventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = typesOf(types);
    await this.open.during(userId, async () => {
      const places = await this.begin(lastEventId, from);
      // The view is recorded before the first event is sent.
      await this.audit.viewed({ action: 'view_events', resourceType: 'events', resourceId: null });
      const now = () => this.clock.now();
      const until = Instant.plus(now(), this.config.tokenValidMinutes * MINUTE_MILLIS);
      const subscription = { reader: { userId, sessionId, group: GROUP }, types: wanted, from: places, until, now };
      await this.streams.send(reply, (gone) => this.events.events(subscription, gone));
    });
  }

  private async begin(lastEventId: string | undefined, from: number | undefined): Promise<LogPositions> {
    if (lastEventId === undefined || lastEventId === '')
      return this.events.positionsAt(from === undefined ? this.clock.now() : Instant.ofSeconds(from));
    const places = this.events.positionsOf(lastEventId);
    if (places) return places;
    throw refuse('invalid', 'invalid_last_event_id', 'The header Last-Event-ID must be the ID of an event of this stream.');
  }
}

function typesOf(types: string | undefined): ReadonlySet<string> {
  const wanted = types?.split(',') ?? [];
  const unknown = wanted.find((type) => !EVENT_TYPES.includes(type));
  if (unknown === undefined) return new Set(wanted);
  throw refuse('invalid', 'unknown_event_type', `There is no event type ${unknown.slice(0, 100)}. The types are in /asyncapi.json.`);
}
