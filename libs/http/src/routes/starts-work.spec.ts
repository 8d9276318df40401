import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import type { FastifyInstance } from 'fastify';
import { Open } from '../access/access.ts';
import { createHttpApplication } from '../application.ts';
import { StartsWork } from './route-options.ts';

@Controller('work')
@Open()
class WorkController {
  @Get()
  read() {
    return 'read';
  }

  @Post()
  @StartsWork()
  begin() {
    return 'begun';
  }
}

@Module({ controllers: [WorkController] })
class WorkModule {}

describe('a route that starts work', () => {
  it('is refused before its body has arrived while the service is busy, and other routes are not', async () => {
    const app = await createHttpApplication(WorkModule, { statements: null, logger: false });
    const instance = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    let isBusy = true;
    instance.refusalOfWork = () => (isBusy ? refuse('unavailable', 'busy', 'Too much work arrives.', { retry_after: 1 }) : null);
    await app.listen(0, '127.0.0.1');
    const { port } = instance.server.address() as AddressInfo;
    /** Sends a part of a body only. */
    const begun = request({ port, path: '/work', method: 'POST', headers: { 'content-type': 'application/json', 'content-length': 100 } });
    begun.on('error', () => undefined).write('{');
    const [answer] = await once(begun, 'response');
    expect([answer.statusCode, answer.headers['retry-after'], JSON.parse(await text(answer)).code]).toEqual([503, '1', 'busy']);
    begun.destroy();
    expect((await instance.inject({ method: 'GET', url: '/work' })).statusCode).toBe(200);
    isBusy = false;
    expect((await instance.inject({ method: 'POST', url: '/work' })).statusCode).toBe(201);
    await app.close();
  });
});
