import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { statements, Things } from '../test/things.ts';
import { createHttpApplication } from './application.ts';

describe('an application that is about to stop', () => {
  it('still answers, and closes each connection after its answer', async () => {
    const app = await createHttpApplication(Things, { statements, logger: false });
    await app.listen(0, '127.0.0.1');
    const instance = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const { port } = instance.server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const ask = async () => {
      const [answer] = await once(get({ port, agent, host: '127.0.0.1', path: '/health-of-nothing' }), 'response');
      answer.resume();
      await once(answer, 'end');
      return [answer.statusCode, answer.headers.connection];
    };
    expect(await ask()).toEqual([404, 'keep-alive']);
    instance.leave();
    expect(await ask()).toEqual([404, 'close']);
    agent.destroy();
    await app.close();
  });
});
