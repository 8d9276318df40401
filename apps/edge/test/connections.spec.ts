import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ConnectionLimit } from '../src/http/limits/connection-limit.ts';
import { MOST_WAITING } from '../src/http/answers/answers-in-turn.ts';
import { type EdgeUnderTest, edgeWith, stub } from './rig.ts';

describe('connections of one address', () => {
  let edge: EdgeUnderTest;
  afterEach(() => edge.stop());

  async function open(): Promise<Socket> {
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }
  /** A persistent connection on which a request was answered. */
  async function kept(): Promise<Socket> {
    const socket = await open();
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 200 OK');
    return socket;
  }

  it('are refused over their limit, until one of them is closed', async () => {
    edge = await edgeWith({}, { settings: { PARLANCE_CONNECTIONS_PER_ADDRESS: '3' } });
    const all = [await kept(), await kept(), await kept()];
    const answer = await text(await open());
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/^retry-after: 5\r$/m);
    expect(answer).toMatch(/^x-frame-options: DENY\r$/m);
    expect(answer).toContain('"code":"too_many_connections"');

    all[0]?.destroy();
    const { size } = edge.app.get(ConnectionLimit);
    expect(size).toBe(1);
    await waitFor(async () => {
      const socket = await open();
      socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
      const [heard] = (await once(socket, 'data')) as [Buffer];
      return String(heard).includes('200 OK');
    });
    edge.server.closeAllConnections();
    await waitFor(() => edge.app.get(ConnectionLimit).size === 0);
  });

  it.each<Record<string, string>>([
    { PARLANCE_CONNECTIONS_PER_ADDRESS: '0' },
    { PARLANCE_CONNECTIONS_PER_ADDRESS: '1', PARLANCE_TRUSTED_PROXIES: '127.0.0.0/8' },
  ])('have no bound with %j', async (settings) => {
    edge = await edgeWith({}, { settings });
    for (let index = 0; index < 3; index++) await kept();
  });
});

describe('requests of one connection', () => {
  let edge: EdgeUnderTest;
  const waiting: (() => void)[] = [];
  afterEach(() => {
    for (const answer of waiting.splice(0)) answer();
    return edge.stop();
  });

  const get = (which: number, more = '') => `GET /talk?which=${which} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

  /** A service that answers each request when the spec releases it, and a connection to the edge in front of it. */
  async function slowService() {
    const begun: string[] = [];
    const parameters = [{ name: 'which', in: 'query', schema: { type: 'string' } }];
    const service = stub('bots', { '/talk': { get: { operationId: 'read', security: [], parameters, responses: { 200: {} } } } });
    service.get<{ Querystring: { which: string } }>('/talk', async ({ query: { which } }) => {
      begun.push(which);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return `answer ${which};`;
    });
    edge = await edgeWith({ bots: service });
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    return { begun, socket };
  }

  it('start one after the other, and are answered in their order', async () => {
    const { begun, socket } = await slowService();
    const answers = text(socket);
    socket.write(get(1) + get(2) + get(3, 'Connection: close\r\n'));
    for (const expected of [['1'], ['1', '2'], ['1', '2', '3']]) {
      await waitFor(() => waiting.length > 0);
      expect(begun).toEqual(expected);
      waiting.pop()!();
    }
    expect((await answers).match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  it('close it when too many of them wait, and the waiting ones never start', async () => {
    const { begun, socket } = await slowService();
    socket.write(Array.from({ length: MOST_WAITING + 2 }, (_, index) => get(index)).join(''));
    await once(socket, 'close');
    await waitFor(() => waiting.length > 0);
    waiting.pop()!();
    expect((await fetch(`${edge.url}/health/live`)).status).toBe(200);
    expect(begun).toEqual(['0']);
  });
});
