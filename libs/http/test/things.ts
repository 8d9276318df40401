import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant, refuse } from '@parlance/decider';
import { VersionConflict } from '@parlance/event-store';
import { Type } from 'class-transformer';
import { ArrayMaxSize, Equals, IsArray, IsInt, IsOptional, IsString, Length, ValidateNested } from 'class-validator';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { RequestContext } from '@parlance/observability';
import { Internal, Needs, Open } from '../src/access/access.ts';
import { createHttpApplication } from '../src/application.ts';
import { Caller } from '../src/access/caller.ts';
import { type CallerStatement, CallerStatements } from '../src/access/caller-statement.ts';
import { Limit } from '../src/routes/query.ts';
import { BodyLimit, LongAnswer } from '../src/routes/route-options.ts';
import { IdParam } from '../src/bodies/validation.ts';

export class TextPart {
  @Equals('text') content_type!: 'text';
  @IsString() @Length(1, 20) body!: string;
}

class ImagePart {
  @Equals('image') content_type!: 'image';
  @IsString() media_type!: string;
}

class Message {
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Object, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'content_type',
      subTypes: [
        { name: 'text', value: TextPart },
        { name: 'image', value: ImagePart },
      ],
    },
  })
  content!: (TextPart | ImagePart)[];
}

class PostBody {
  @ValidateNested() @Type(() => Message) message!: Message;
  @IsOptional() @IsInt() count?: number;
  @IsOptional() @IsString({ each: true }) tags?: string[];
}

class ListQuery {
  @Limit() limit = 100;
  @IsOptional() starred?: boolean;
  @IsOptional() @IsString() prefix?: string;
}

export const slept = new EventEmitter();
export const seen: { context?: RequestContext | undefined } = {};

@Controller('things')
class ThingsController {
  @Open()
  @Post()
  create(@Body() body: PostBody) {
    return { made: body instanceof PostBody, part: body.message.content[0]?.constructor.name ?? null };
  }

  @Open()
  @BodyLimit(100)
  @HttpCode(200)
  @Post('small')
  small(@Body() _: PostBody) {
    return {};
  }

  @Open()
  @Get()
  list(@Query() query: ListQuery) {
    return query;
  }

  @Open()
  @Get('fail/:how')
  fail(@Param('how') how: string) {
    const failures: Record<string, unknown> = {
      limited: refuse('limited', 'throttled', 'Too many requests: wait.', { retry_after: 1.2, secret: 'x' }),
      conflict: new VersionConflict('bot-1', 3),
      breaker: Object.assign(new Error('Breaker is open: http://inference:4001'), { code: 'EOPENBREAKER' }),
      bug: new TypeError('cannot read "password" of 10.0.0.7'),
      text: 'a text',
      nothing: undefined,
    };
    throw failures[how];
  }

  @Open()
  @Post('sleep')
  sleep(@Body() _: PostBody) {
    return new Promise((resolve) => slept.once('wake', resolve));
  }

  @Open()
  @LongAnswer()
  @Post('doze')
  doze(@Body() _: PostBody) {
    return new Promise((resolve) => slept.once('wake', resolve));
  }

  @Get('me')
  me(@Caller() caller: Caller) {
    seen.context = RequestContext.current();
    return caller;
  }

  @Get('by-id/:bot_id')
  @Open()
  byId(@IdParam('bot_id') id: string) {
    return { id };
  }

  @Needs('Admin')
  @Delete('all')
  @HttpCode(204)
  removeAll() {}

  @Internal()
  @Post('sync')
  sync(@Caller() caller: Caller) {
    return caller;
  }
}

@Module({ controllers: [ThingsController] })
export class Things {}

export const statements = new CallerStatements(Buffer.alloc(32, 1));
export const user: CallerStatement = {
  sub: 'u1',
  groups: [],
  sid: 's1',
  kind: 'user',
  ip: '203.0.113.7',
  ua: 'curl/8',
  rid: 'r-1',
  cid: 'c-1',
};
export const signed = (statement: Partial<CallerStatement> = {}) => ({
  'x-parlance-caller': statements.sign({ ...user, ...statement }, Instant.ofMillis(Date.now())),
});

let app: NestFastifyApplication;
export const ask = (options: InjectOptions): Promise<LightMyRequestResponse> => app.inject(options) as Promise<LightMyRequestResponse>;
export const get = (url: string, headers = {}) => ask({ method: 'GET', url, headers });
export const post = (payload: string | Buffer, url = '/things', type = 'application/json') =>
  ask({ method: 'POST', url, payload, headers: { 'content-type': type } });

/** Runs the application for the specs of a file. */
export function serveThings(): void {
  beforeAll(async () => {
    app = await createHttpApplication(Things, { statements, logger: false });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());
}

/** The application of the specs with limits that are short enough for a test. */
export async function limited(limits: object): Promise<NestFastifyApplication> {
  const its = await createHttpApplication(Things, { statements, logger: false, ...limits });
  await its.listen(0, '127.0.0.1');
  return its;
}

export const isProblem = (answer: LightMyRequestResponse, status: number, code: string) => {
  const body = answer.json<Record<string, unknown>>();
  expect([answer.statusCode, body['status'], body['code']]).toEqual([status, status, code]);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body['type']).toBe(`urn:parlance:problem:${code}`);
  expect(body['message']).toBe(body['detail']);
  expect(body['request_id']).toBe(answer.headers['x-request-id']);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(body['detail']).toMatch(/^[A-Z].*[^.]\.$/s);
  if (status === 400) expect(body['errors']).toEqual(expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]));
  return body as { detail: string; errors?: { path: string; message: string }[] };
};
