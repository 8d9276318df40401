import { once } from 'node:events';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpCode, Module, Post, Res } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import type { FastifyReply } from 'fastify';
import { WriteFailed } from '@parlance/sqlite';
import { RequestContext } from '@parlance/observability';
import { Open } from './access/access.ts';
import { createHttpApplication } from './application.ts';

@Controller('commands')
class CommandsController {
  @Open()
  @Get()
  list() {
    return [];
  }

  @Open()
  @Post('fails-before')
  before(): never {
    throw new WriteFailed('disk full');
  }

  @Open()
  @Post('fails-after')
  after(): never {
    RequestContext.noteRecorded('bot-01ABC');
    throw new WriteFailed('disk full');
  }

  @Open()
  @Post('unseen')
  unseen(): never {
    RequestContext.noteRecorded('bot-01ABC');
    RequestContext.noteBehind(['bots']);
    throw refuse('missing', 'bot_not_found', 'There is no such bot.');
  }

  @Open()
  @Post('refused')
  refused(): never {
    RequestContext.noteRecorded('bot-01ABC');
    throw refuse('conflict', 'bot_pinned', 'The bot is pinned.');
  }

  @Open()
  @Post('lagging')
  @HttpCode(200)
  behind() {
    RequestContext.noteRecorded('bot-01ABC');
    RequestContext.noteBehind(['bots']);
    RequestContext.noteBehind(['bots', 'store']);
    return {};
  }

  /** Work that the request began, such as a reply, appends after the answer. */
  @Open()
  @Post('works-on')
  @HttpCode(200)
  worksOn(@Res() reply: FastifyReply): void {
    reply.send({});
    afterAnswer = once(reply.raw, 'finish').then(() => RequestContext.noteBehind(['messages']));
  }
}

let afterAnswer: Promise<void> = Promise.resolve();

@Module({ controllers: [CommandsController] })
class CommandsModule {}

const app = await createHttpApplication(CommandsModule, { statements: null, logger: false });
await app.init();
afterAll(() => app.close());

async function post(path: string) {
  const { statusCode, headers, body } = await app.inject({ method: 'POST', url: `/commands/${path}` });
  return { status: statusCode, headers, body: JSON.parse(body) as { code?: string; detail?: string } };
}

describe('an answer of 5xx', () => {
  it('asks for a repeat if nothing was recorded', async () => {
    const { status, headers, body } = await post('fails-before');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'dependency_unavailable', '5']);
  });

  it('states that the change was recorded, names it, and does not ask for a repeat', async () => {
    const { status, headers, body } = await post('fails-after');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'recorded_not_visible', undefined]);
    expect(body).toMatchObject({ detail: expect.stringContaining('01ABC'), look_up: '/commands' });
  });
});

describe('a change that queries do not show yet', () => {
  it('is not answered with 404', async () => {
    const { status, body } = await post('unseen');
    expect([status, body.code]).toEqual([503, 'recorded_not_visible']);
  });

  it('has an answer that names the lagging read models', async () => {
    const { status, headers } = await post('lagging');
    expect([status, headers['parlance-behind']]).toEqual([200, 'bots, store']);
  });

  it('is no error for work that continues after the answer', async () => {
    const { status, headers } = await post('works-on');
    await expect(afterAnswer).resolves.toBeUndefined();
    expect([status, headers['parlance-behind']]).toEqual([200, undefined]);
  });
});

it('does not replace a refusal after an append', async () => {
  const { status, body } = await post('refused');
  expect([status, body.code]).toEqual([409, 'bot_pinned']);
});
