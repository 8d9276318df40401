import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ConnectionLimit } from '../src/http/connection-limit.ts';
import { type EdgeUnderTest, edgeWith } from './rig.ts';

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
  /** One that is kept: a request on it is answered. */
  async function kept(): Promise<Socket> {
    const socket = await open();
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 200 OK');
    return socket;
  }

  it('are refused past their bound, until one of them is closed', async () => {
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
    for (let nth = 0; nth < 3; nth++) await kept();
  });
});
