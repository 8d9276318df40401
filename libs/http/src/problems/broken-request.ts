import type { Socket } from 'node:net';
import { newId } from '@parlance/event-store';
import { problemOf } from './problem.ts';

const STATUS_BY_CODE: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** Input that is not HTTP, or is incomplete at the time limit, has no request. The problem is written to the socket. */
export function brokenRequestAnswers(
  more: () => Readonly<Record<string, string>> | undefined,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => answer(error, socket, more() ?? {});
}

function answer(error: Error & { code?: string }, socket: Socket, more: Readonly<Record<string, string>>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(socket, { statusCode: STATUS_BY_CODE[error.code ?? ''] ?? 400 }, more);
}

/** Writes the problem of an error to a connection without a request, and closes it. */
export function answerOnSocket(socket: Socket, error: unknown, more: Readonly<Record<string, string>>): void {
  const requestId = newId();
  const { status, headers, body } = problemOf(error, requestId);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...more,
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${body.title}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy());
}
