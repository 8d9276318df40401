import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a connection may wait for its first request while the server closes. */
const UNUSED_MILLIS = 1_000;

/**
 * Closes connections on which nothing was sent while the server closes. Browsers and fetch open connections before they need them. Node only closes idle
 * connections that have had a request, and no longer applies its time limits.
 */
export function closeUnused(instance: FastifyInstance): void {
  const open = new Set<Socket>();
  instance.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  instance.addHook('preClose', (done) => {
    const look = setInterval(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, UNUSED_MILLIS).unref();
    instance.server.once('close', () => clearInterval(look));
    if (!instance.server.listening) clearInterval(look);
    done();
  });
}
