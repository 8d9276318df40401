import { afterAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Headers, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { IsOptional, IsString, Length } from 'class-validator';
import {
  BodyLimit,
  CallerStatements,
  createHttpApplication,
  IdParam,
  Internal,
  Limit,
  Needs,
  Open,
  OpenOrSignedIn,
  TakesBytes,
  tokenScopeOf,
} from '@parlance/http';
import { Answers, Refuses, Summary, Takes } from './answers.ts';
import { assembleDocuments } from './assemble-documents.ts';
import { DOCUMENT_PATH, DocumentModule } from './document.module.ts';
import { component } from './json-schema.ts';
import type { OpenApiDocument } from './service-document.ts';

const Bot = component('Bot', { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] });
const Bots = component('BotList', { type: 'object', properties: { bots: { type: 'array', items: Bot } } });

class CreateBotBody {
  @IsString() @Length(1, 100) title!: string;
}

class ListBotsQuery {
  @Limit() limit = 100;
  @IsOptional() @IsString() next_token?: string;
  @IsOptional() starred?: boolean;
}

@Controller('bot')
class BotController {
  @Needs('CreatingBotAllowed')
  @Summary('Makes a bot.')
  @Answers(201, Bot, { description: 'The bot.' })
  @Refuses('title_taken', 409)
  @Refuses('bot_limit_reached', 409)
  @BodyLimit(2_048)
  @Post()
  create(@Body() body: CreateBotBody) {
    return body;
  }

  @Answers(200, Bots)
  @Get()
  list(@Query() query: ListBotsQuery) {
    return query;
  }

  @Delete(':bot_id/share/:group')
  @HttpCode(204)
  @Refuses('bot_unknown', 404)
  unshare(
    @IdParam('bot_id') _id: string,
    @Param('group') _group: string,
    @Headers('if-match') _ifMatch?: string,
    @Headers('if-none-match') _ifNoneMatch?: string,
  ) {}

  @Open()
  @Answers(200, Bot)
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' })
  @Answers(202)
  @Get('stream')
  stream() {}

  @Open()
  @Answers(200, { type: 'object', properties: { bots: { type: 'integer' } } })
  @Get('count')
  count() {}

  @OpenOrSignedIn()
  @Get('shared')
  shared() {}

  @TakesBytes('application/json', 'application/zip')
  @Takes({ type: 'array' })
  @Post('archive')
  archive() {}

  @Internal()
  @Get('secret')
  secret() {}
}

@Controller()
class HiddenController {
  @Open() @Get('internal/thing') thing() {}
  @Get('health/live') live() {}
}

@Module({ imports: [DocumentModule.for({ title: 'bots', version: '1.2.3' })], controllers: [BotController, HiddenController] })
class BotsModule {}

const statements = new CallerStatements(Buffer.alloc(32, 1));

const app = await createHttpApplication(BotsModule, { statements, logger: false });
await app.init();
const service = { sub: 'edge', groups: [], sid: null, kind: 'service', ip: null, ua: null, rid: 'r', cid: 'r', call: true } as const;
const caller = statements.sign(service, Instant.ofMillis(Date.now()));
const answered = await app.inject({ url: DOCUMENT_PATH, headers: { 'x-parlance-caller': caller } });
const document = JSON.parse(answered.payload) as OpenApiDocument;
afterAll(() => app.close());

describe('the document of a service', () => {
  it('has every route for clients, and no other routes', () => {
    const routes = Object.entries(document.paths).flatMap(([path, its]) => Object.keys(its).map((method) => `${method} ${path}`));
    expect(routes.sort()).toEqual([
      'delete /bot/{bot_id}/share/{group}',
      'get /bot',
      'get /bot/count',
      'get /bot/shared',
      'get /bot/stream',
      'post /bot',
      'post /bot/archive',
    ]);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'bots', version: '1.2.3' } });
  });

  it('states which routes need a token, and which accept one', () => {
    expect(document.paths['/bot/shared']?.['get']?.['security']).toEqual([{}, { bearer: [] }]);
  });

  it('states which types of bytes a route accepts, with schemas only for JSON', () => {
    const content = { 'application/json': { schema: { type: 'array' } }, 'application/zip': {} };
    expect(document.paths['/bot/archive']?.['post']?.['requestBody']).toEqual({ required: true, content });
  });

  it('does not contain its own route, nor the probes', async () => {
    expect((await app.inject({ url: DOCUMENT_PATH })).statusCode).toBe(404);
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
  });

  it("names the token scope of each route that accepts a user's token", () => {
    const scopeOf = (path: string, method: string) => document.paths[path]?.[method]?.['x-token-scope'];
    expect([scopeOf('/bot', 'get'), scopeOf('/bot', 'post'), scopeOf('/bot/shared', 'get'), scopeOf('/bot/count', 'get')]).toEqual([
      tokenScopeOf('get', '/bot'),
      tokenScopeOf('post', '/bot'),
      tokenScopeOf('get', '/bot/shared'),
      undefined,
    ]);
    expect(scopeOf('/bot', 'get')).not.toBe(scopeOf('/bot', 'post'));
  });

  it('states the bodies, answers and refusals of a route', () => {
    const codes = (...names: readonly string[]) => ({
      content: { 'application/problem+json': { schema: { allOf: [{}, { properties: { code: { enum: names } } }] } } },
    });
    expect(document.paths['/bot']?.['post']).toMatchObject({
      operationId: 'bot_create',
      tags: ['Bot'],
      summary: 'Makes a bot.',
      requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateBotBody' } } } },
      responses: {
        201: { description: 'The bot.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Bot' } } } },
        403: codes('group_required'),
        409: codes('bot_limit_reached', 'title_taken'),
        503: codes('recorded_not_visible'),
      },
      security: [{ bearer: [] }],
      'x-body-limit': 2_048,
    });
    expect(document.paths['/bot']?.['get']).toMatchObject({
      responses: expect.not.objectContaining({ 503: expect.anything() }),
      parameters: [
        { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } },
        { name: 'next_token', in: 'query', required: false, schema: { type: 'string' } },
        { name: 'starred', in: 'query', required: false, schema: { type: 'boolean' } },
      ],
    });
    expect(document.paths['/bot/{bot_id}/share/{group}']?.['delete']).toMatchObject({
      parameters: [
        { name: 'bot_id', in: 'path', required: true, schema: { type: 'string', pattern: expect.any(String) } },
        { name: 'group', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'if-none-match', in: 'header', schema: { enum: ['*'] } },
        { name: 'if-match', in: 'header' },
      ],
      responses: {
        204: { description: 'No Content' },
        400: codes('invalid_id', 'invalid_if_match', 'invalid_if_none_match', 'invalid_query', 'malformed_request'),
        404: codes('bot_unknown'),
        412: codes('version_stale'),
      },
    });
    expect(document.paths['/bot/stream']?.['get']).toMatchObject({
      responses: { 200: { content: { 'application/json': {}, 'text/event-stream': {} } }, 202: { description: 'Accepted' } },
      security: [],
    });
  });

  it('names an answer after its operation, if it has no name of its own', () => {
    expect(document.paths['/bot/count']?.['get']).toMatchObject({
      responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/BotCountAnswer' } } } } },
    });
    expect(document.components.schemas['BotCountAnswer']).toEqual({ type: 'object', properties: { bots: { type: 'integer' } } });
  });

  it('has no dangling references', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(refs)].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it('has a description of each status, and a schema of each parameter', () => {
    for (const operation of Object.values(document.paths).flatMap((its) => Object.values(its))) {
      for (const answer of Object.values(operation['responses'] as object)) expect(answer).toHaveProperty('description');
      for (const parameter of (operation['parameters'] as object[] | undefined) ?? []) expect(parameter).toHaveProperty('schema');
    }
  });
});

describe('documents of several services', () => {
  const info = { title: 'Parlance', version: '1' };
  const other: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'inference', version: '1' },
    paths: { '/conversation': { post: { operationId: 'conversation_create' } } },
    components: { schemas: {}, securitySchemes: {} },
  };

  it('are merged', () => {
    const whole = assembleDocuments(info, [document, other]);
    expect(Object.keys(whole.paths)).toEqual([
      '/bot',
      '/bot/archive',
      '/bot/count',
      '/bot/shared',
      '/bot/stream',
      '/bot/{bot_id}/share/{group}',
      '/conversation',
    ]);
    expect(whole.components.schemas).toEqual(document.components.schemas);
    expect(whole.info).toEqual(info);
  });

  it('must not contradict each other', () => {
    const twice = { ...other, paths: { '/bot': { post: { operationId: 'x' } } } };
    const sameId = { ...other, paths: { '/x': { get: { operationId: 'bot_list' } } } };
    const otherBot = { ...other, components: { schemas: { Bot: { type: 'string' } }, securitySchemes: {} } };
    expect(() => assembleDocuments(info, [document, twice])).toThrow('inference has POST /bot, which another service has too');
    expect(() => assembleDocuments(info, [document, sameId])).toThrow('inference calls an operation bot_list');
    expect(() => assembleDocuments(info, [document, otherBot])).toThrow('inference means something else by the schema Bot');
  });
});
