import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isTurnOver, nextTurn } from '@parlance/event-loop';

/** How many requests of one connection may wait while another is answered. A further request closes the connection. */
export const MOST_WAITING = 32;

type Listener = (this: Server, req: IncomingMessage, res: ServerResponse) => void;

const WAITING = Symbol('requests that wait for the answer to another one of their connection');

/** `null`: a request is being answered, and none waits. */
type QueueingSocket = Socket & { [WAITING]?: (() => void)[] | null | undefined };

/**
 * Answers the requests of one connection one after the other, each when its client has received the previous answer. Node would start all
 * of them at once and keep their answers in memory: 250 requests in one packet, each for a message of 1 MiB, crashed the process. Measured:
 * below 1 µs a request.
 */
export function answerInTurn(server: Server): void {
  for (const event of ['request', 'checkContinue']) {
    const listeners = server.listeners(event) as Listener[];
    server.removeAllListeners(event);
    const begin = (req: IncomingMessage, res: ServerResponse) => {
      // The socket is read now, because the request may no longer have one when other code has read it.
      const { socket } = req;
      res.on('close', () => beginNext(socket));
      const answer = () => {
        for (const listener of listeners) listener.call(server, req, res);
      };
      // Thousands of requests can arrive in one turn of the event loop.
      if (!isTurnOver()) answer();
      else void nextTurn(credentialOf(req)).then(() => res.destroyed || answer());
    };
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      const socket: QueueingSocket = req.socket;
      const waiting = socket[WAITING];
      if (waiting === undefined) {
        socket[WAITING] = null;
        begin(req, res);
      } else if (waiting === null) socket[WAITING] = [AsyncResource.bind(() => begin(req, res))];
      else if (waiting.length < MOST_WAITING) waiting.push(AsyncResource.bind(() => begin(req, res)));
      else socket.destroy();
    });
  }
}

/** Distinguishes clients before they are known. */
const credentialOf = ({ headers, socket }: IncomingMessage): string =>
  String(headers.authorization ?? headers['x-api-key'] ?? socket.remoteAddress);

function beginNext(socket: QueueingSocket): void {
  const next = socket.destroyed ? undefined : socket[WAITING]?.shift();
  if (next) next();
  else socket[WAITING] = undefined;
}
