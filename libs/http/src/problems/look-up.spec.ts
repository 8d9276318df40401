import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant, refuse } from '@parlance/decider';
import { WriteUnconfirmed } from '@parlance/event-store';
import { MongoNetworkError } from 'mongodb';
import { Open } from '../access/access.ts';
import { CallerStatements, STATEMENT_HEADER } from '../access/caller-statement.ts';
import { createHttpApplication } from '../application.ts';
import { withLookUp } from './look-up.ts';

@Controller('bots')
class BotsController {
  @Open()
  @Get()
  list(): readonly string[] {
    return [];
  }

  @Open()
  @Post()
  create(): never {
    throw refuse('unavailable', 'outcome_unknown', 'The service inference did not answer.', { retry_after: 5 });
  }

  @Open()
  @Post('unconfirmed')
  write(): never {
    throw new WriteUnconfirmed(new MongoNetworkError('gone'));
  }

  @Open()
  @Get('read')
  read(): never {
    return this.write();
  }

  @Open()
  @Post('refused')
  refused(): never {
    throw refuse('unavailable', 'service_unavailable', 'The service inference cannot be reached now.');
  }
}

@Module({ controllers: [BotsController] })
class BotsModule {}

describe('the answer to a command with an unknown outcome', () => {
  const statements = new CallerStatements(Buffer.alloc(32, 1));
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createHttpApplication(BotsModule, { statements, logger: false });
    await app.init();
  });
  afterAll(() => app.close());

  const post = async (url: string, nid?: string) => {
    const stated = { sub: 'u1', groups: [], sid: 's1', kind: 'user', ip: null, ua: null, rid: 'r-1', cid: 'c-1' } as const;
    const statement = statements.sign({ ...stated, ...(nid !== undefined && { nid }) }, Instant.ofMillis(Date.now()));
    const answer = await app.inject({ method: 'POST', url, headers: { [STATEMENT_HEADER]: statement, 'idempotency-key': 'k-1' } });
    const { code, look_up, repeat_with, detail } = answer.json<Record<string, string>>();
    return { status: answer.statusCode, code, look_up, repeat_with, detail, retry: answer.headers['x-should-retry'] };
  };

  it('names what to look up, and the key to repeat it with if the key is remembered', async () => {
    expect(await post('/bots')).toEqual({
      status: 503,
      code: 'outcome_unknown',
      look_up: '/bots',
      repeat_with: undefined,
      detail: 'The service inference did not answer.',
      retry: 'false',
    });
    expect(await post('/bots', 'b-1')).toMatchObject({
      look_up: '/bots',
      repeat_with: 'k-1',
      detail: 'The service inference did not answer. You may also repeat it with the same Idempotency-Key.',
      retry: 'true',
    });
  });

  it('names them for a write that the database has not confirmed, but not for a read', async () => {
    expect(await post('/bots/unconfirmed', 'b-1')).toMatchObject({
      code: 'outcome_unknown',
      look_up: '/bots',
      repeat_with: 'k-1',
      retry: 'true',
    });
    const read = await app.inject({ method: 'GET', url: '/bots/read' });
    expect(read.json()).toMatchObject({ status: 503, code: 'dependency_unavailable' });
  });

  it('names nothing if no path shows the effect', () => {
    const lost = refuse('unavailable', 'outcome_unknown', 'The service inference did not answer.');
    const request = { method: 'POST', headers: {} };
    expect(withLookUp(lost, { ...request, url: '/auth/sign-out', lookUp: null })).not.toHaveProperty('facts.look_up');
    expect(withLookUp(lost, { ...request, url: '/bot/b-1/starred?draft=true', lookUp: '/bot/:bot_id' })).toMatchObject({
      facts: { look_up: '/bot/b-1' },
    });
  });

  it('adds nothing to other refusals', async () => {
    expect(await post('/bots/refused', 'b-1')).toMatchObject({ code: 'service_unavailable', look_up: undefined, repeat_with: undefined });
  });
});
