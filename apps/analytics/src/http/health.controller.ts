import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { HOST, type Host, inTime } from '@parlance/foundation';
import { acceptsCsv, Audited, csvList, FreshId, LongAnswer, Needs, PageQuery, PageTokens } from '@parlance/http';
import { Answers, Refuses, Summary } from '@parlance/openapi';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExecuteRedrive } from '../commands/aggregates.ts';
import { CollectHealth } from '../workflows/collect-health.ts';
import { DeadLettersAnswer, HealthAnswer, RedriveAnswer, SERVICES } from './health-answers.ts';

const COLUMNS = ['id', 'event_id', 'event_type', 'subject', 'event_time', 'topic', 'partition', 'failed_at'] as const;
/** The most dead letters that one request may name. */
const MOST_IDS = 100;
/** How long the broker may take to answer. */
const BROKER_MS = 5_000;

class DeadLettersQuery extends PageQuery {
  @IsIn(SERVICES) service!: string;
}

class RedriveBody {
  @IsIn(SERVICES) service!: (typeof SERVICES)[number];
  @IsOptional() @IsArray() @ArrayMinSize(1) @ArrayMaxSize(MOST_IDS) @ArrayUnique() @Length(1, 300, { each: true }) ids?: string[];
}

@Controller('admin/health')
@Needs('Admin')
export class HealthController {
  constructor(
    @Inject(HOST) private readonly host: Host,
    private readonly commands: CommandBus,
    private readonly health: CollectHealth,
    private readonly tokens: PageTokens,
  ) {}

  @Get()
  @Summary('Show the state of all services, their stores and the broker. A service that does not answer is `unreachable`.')
  @Answers(200, HealthAnswer)
  show(): Promise<HealthAnswer> {
    return this.health.collect();
  }

  @Get('dead-letters')
  @Summary('List the dead letters of a service without the content of their events, oldest first.')
  @Answers(200, DeadLettersAnswer)
  @Answers(200, { type: 'string' }, { mediaType: 'text/csv' })
  @Refuses('invalid_next_token', 400)
  @Refuses('broker_unavailable', 503)
  deadLetters(@Query() query: DeadLettersQuery, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    if (!acceptsCsv(request.headers.accept)) return this.deadLettersPage(query);
    const read = (page: PageQuery) => this.deadLettersPage({ service: query.service, ...page });
    return csvList(reply, { list: 'dead_letters', columns: COLUMNS, read });
  }

  private async deadLettersPage({ service, limit, next_token }: DeadLettersQuery): Promise<DeadLettersAnswer> {
    const { broker } = this.host;
    const asked = { list: 'dead-letters', service };
    const after = next_token === undefined ? undefined : this.tokens.open<string>(asked, next_token);
    const [total, letters] = await answered(Promise.all([broker.countDeadLetters(service), broker.deadLetters(service, limit, after)]));
    const last = letters.at(-1)?.place;
    const isLast = last === undefined || (await answered(broker.deadLetters(service, 1, last))).length === 0;
    const shown = letters.map(({ id, topic, partition, event, failedAt }) => ({
      id,
      event_id: event.id,
      event_type: event.type,
      subject: event.subject,
      event_time: event.time,
      topic,
      partition,
      failed_at: failedAt,
    }));
    return {
      service: service as DeadLettersAnswer['service'],
      total,
      dead_letters: shown,
      next_token: isLast ? null : this.tokens.seal(asked, last),
    };
  }

  @Post('dead-letters/redrive')
  @HttpCode(202)
  @LongAnswer()
  @Audited('redrive_dead_letters', 'service')
  @Summary('Redeliver dead letters to a service, those with the given ids, or all. Repeating the request has no further effect.')
  @Answers(202, RedriveAnswer)
  @Refuses('broker_unavailable', 503)
  @Refuses('redrive_incomplete', 503)
  async redrive(@Body() { service, ids }: RedriveBody, @FreshId() redriveId: string): Promise<RedriveAnswer> {
    const { broker } = this.host;
    // Nothing is recorded if the broker is unavailable.
    await answered(broker.countDeadLetters(service));
    await this.commands.execute(new ExecuteRedrive(redriveId, { type: 'Request', service, ids: ids ?? null }));
    const redriven = await broker.redrive(service, ids).catch(() => {
      throw refuse(
        'unavailable',
        'redrive_incomplete',
        'The broker stopped responding. Some dead letters may already have been redelivered. Repeat the request for the rest.',
      );
    });
    return { service, redriven };
  }
}

async function answered<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await inTime(BROKER_MS, work);
  } catch {
    throw refuse('unavailable', 'broker_unavailable', 'The broker is not responding. Nothing was changed. Try again later.');
  }
}
