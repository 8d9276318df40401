import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, type ExecutionContext, Get, Injectable, Module, UseGuards } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant, refuse } from '@parlance/decider';
import type { FastifyRequest } from 'fastify';
import { CallerStatements, CheckedHere, createHttpApplication } from '@parlance/http';
import { CREDENTIALS_PATH, CredentialsController } from './credentials.controller.ts';

@Injectable()
class Words {
  readonly known = 'open sesame';
}

@Injectable()
class WordGuard implements CanActivate {
  constructor(private readonly words: Words) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers.authorization === this.words.known) return true;
    throw refuse('unauthenticated', 'wrong_word', 'This is not the word.');
  }
}

@Controller('cave')
@CheckedHere('word')
@UseGuards(WordGuard)
class CaveController {
  @Get() enter() {}
}

@Controller('wall')
@CheckedHere('nothing')
class WallController {
  @Get() enter() {}
}

@Module({ controllers: [CaveController, WallController, CredentialsController], providers: [Words] })
class Caves {}

describe('a credential that only a route of the service can check', () => {
  const statements = new CallerStatements(Buffer.alloc(32, 1));
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createHttpApplication(Caves, { statements, logger: false });
    await app.init();
  });
  afterAll(() => app.close());

  async function check(scheme: string, payload: object, isService = true): Promise<[number, string | undefined]> {
    const edge = { sub: 'edge', groups: [], sid: null, kind: 'service', ip: null, ua: null, rid: 'r', cid: 'r', call: true } as const;
    const headers = isService ? { 'x-parlance-caller': statements.sign(edge, Instant.ofMillis(Date.now())) } : {};
    const answer = await app.inject({ method: 'POST', url: `${CREDENTIALS_PATH}/${scheme}`, headers, payload });
    return [answer.statusCode, answer.payload === '' ? undefined : answer.json<{ code: string }>().code];
  }

  it("is checked by the route's guard before the request", async () => {
    expect(await check('word', { authorization: 'open sesame' })).toEqual([204, undefined]);
    expect(await check('word', { authorization: 'open barley' })).toEqual([401, 'wrong_word']);
    expect(await check('word', {})).toEqual([401, 'wrong_word']);
  });
  it('is checked only for other services', async () => {
    expect(await check('word', { authorization: 'open sesame' }, false)).toEqual([404, 'no_such_route']);
  });
  it('is refused if no guard checks it', async () => {
    expect(await check('nothing', { authorization: 'open sesame' })).toEqual([500, 'internal_error']);
    expect(await check('unheard-of', {})).toEqual([404, 'no_such_scheme']);
  });
});
