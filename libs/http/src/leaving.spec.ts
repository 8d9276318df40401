import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { statements, Things } from '../test/things.ts';
import { createHttpApplication } from './application.ts';
import { LEAVING_HEADER } from './leaving.ts';

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
      return [answer.statusCode, answer.headers.connection, answer.headers[LEAVING_HEADER]];
    };
    expect(await ask()).toEqual([404, 'keep-alive', undefined]);
    instance.leave();
    expect(await ask()).toEqual([404, 'close', 'soon']);
    agent.destroy();
    await app.close();
  });

  /** The answer to a request of which a part arrived before the application began to close. */
  async function answerAfterNotice(facesClients: boolean): Promise<string> {
    const app = await createHttpApplication(Things, { statements, logger: false, facesClients });
    await app.listen(0, '127.0.0.1');
    const instance = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const accepted = once(instance.server, 'connection') as Promise<[Socket]>;
    const client = connect((instance.server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET /health-of-nothing HTTP/1.1\r\nHost: a\r\n');
    const [connection] = await accepted;
    while (connection.bytesRead === 0) await new Promise(setImmediate);
    const closed = app.close();
    while (!instance.isClosing()) await new Promise(setImmediate);
    client.write('\r\n');
    const answer = await text(client);
    await closed;
    return answer;
  }

  it('does not wait for connections on which nothing was sent', async () => {
    const app = await createHttpApplication(Things, { statements, logger: false });
    await app.listen(0, '127.0.0.1');
    const { server } = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    await accepted;
    const ended = once(client, 'close');
    await app.close();
    await ended;
  });
  it('refuses a request that comes after its notice, and reports that nothing was carried out', async () => {
    const answer = await answerAfterNotice(false);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toContain(`\r\n${LEAVING_HEADER}: refused\r\n`);
    expect(answer).toContain('"code":"shutting_down"');
  });

  it('answers it if clients reach it directly, and closes the connection', async () => {
    const answer = await answerAfterNotice(true);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).not.toContain(LEAVING_HEADER);
  });
});
