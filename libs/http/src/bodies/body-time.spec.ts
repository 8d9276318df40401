import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limitBodyElsewhere, limitBodyTime } from './body-time.ts';

describe('the time limit of bodies', () => {
  let server: Server;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    server = createServer({ requestTimeout: 0 }, (req, res) => {
      if (req.url === '/upload') limitBodyElsewhere(req);
      if (req.url === '/answered') res.end('refused');
      req.on('data', () => undefined).on('end', () => res.writableEnded || res.end('taken'));
    });
    // Negative, so that the connections are closed without the second for the answer.
    limitBodyTime(server, -900);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function begin(path: string, headers: string): Promise<{ socket: Socket; req: IncomingMessage }> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    const received = once(server, 'request');
    socket.on('error', () => undefined).write(`PUT ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`);
    const [req] = (await received) as [IncomingMessage];
    return { socket, req };
  }

  it.each(['Content-Length: 9', 'Transfer-Encoding: chunked'])('closes a connection whose body is still arriving (%s)', async (headers) => {
    const { socket } = await begin('/', headers);
    await once(socket, 'close');
  });

  it('closes such a connection even after the answer', async () => {
    const { socket } = await begin('/answered', 'Content-Length: 9');
    socket.resume();
    await once(socket, 'close');
  });

  it('ignores a body that has a limit elsewhere', async () => {
    const { socket, req } = await begin('/upload', 'Content-Length: 2');
    // The timer of a later request ends after the timer of this one.
    const { socket: later } = await begin('/', 'Content-Length: 9');
    await once(later, 'close');
    expect(req.socket.destroyed).toBe(false);
    socket.write('ab');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toContain('200 OK');
  });
});
