import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, Module, Post, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { refuse } from '@parlance/decider';
import type { FastifyReply, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';

@Controller()
@Open()
class Pages {
  @Get('page')
  page(@Res({ passthrough: true }) reply: FastifyReply) {
    reply.header('etag', '"7"');
    return { text: 'hello' };
  }

  @Get('nameless')
  nameless() {
    return { text: 'hello' };
  }

  @Get('refused')
  refused(@Res({ passthrough: true }) reply: FastifyReply) {
    reply.header('etag', '"7"');
    throw refuse('missing', 'page_gone', 'There is no such page.');
  }

  @Post('page')
  @HttpCode(200)
  turn(@Res({ passthrough: true }) reply: FastifyReply) {
    return this.page(reply);
  }
}

@Module({ controllers: [Pages] })
class PagesModule {}

describe('an answer whose ETag the client has', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createHttpApplication(PagesModule, { statements: null, logger: false });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(() => app.close());
  const ask = (tag: string | null, options: InjectOptions = {}) =>
    app.inject({ url: '/page', headers: tag === null ? {} : { 'if-none-match': tag }, ...options }) as Promise<LightMyRequestResponse>;

  it.each(['"7"', 'W/"7"', '"6", "7"', '*', ' "6" ,W/"7" '])('is not sent again for %s', async (tag) => {
    const answer = await ask(tag);
    expect([answer.statusCode, answer.body, answer.headers['etag']]).toEqual([304, '', '"7"']);
    for (const name of ['content-type', 'content-length']) expect(answer.headers).not.toHaveProperty(name);
    expect(answer.headers['x-request-id']).toBeDefined();
  });
  it('is not sent again for a HEAD request', async () => expect((await ask('"7"', { method: 'HEAD' })).statusCode).toBe(304));
  it.each([null, '"6"', '7', '', '"*"', 'W/7'])('is sent for %s', async (tag) => {
    const answer = await ask(tag);
    expect([answer.statusCode, answer.json()]).toEqual([200, { text: 'hello' }]);
  });
  it.each([
    ['if it has no ETag', { url: '/nameless' }, 200],
    ['if it is a refusal', { url: '/refused' }, 404],
    ['if the request changes something', { method: 'POST' as const }, 200],
  ])('is given %s', async (_, options, status) => {
    const answer = await ask('*', options);
    expect([answer.statusCode, answer.body.length > 0]).toEqual([status, true]);
  });
});
