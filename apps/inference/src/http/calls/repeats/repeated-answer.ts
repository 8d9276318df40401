import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Repeated, WholeAnswer } from './unheard-calls.ts';

/** Answers a repeat with what the first call ended with, or will end with. False if that one has ended without an answer for it. */
export async function answerAgain(repeated: Repeated, reply: FastifyReply): Promise<boolean> {
  if ('done' in repeated) return repeated.done;
  if ('answer' in repeated) {
    sendWhole(reply, repeated.answer);
    return true;
  }
  void reply.header('x-should-retry', 'false');
  throw repeated.refusal;
}

export function sendWhole(reply: FastifyReply, { status, headers, body }: WholeAnswer): void {
  reply.hijack();
  reply.raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers, 'content-length': body.length });
  reply.raw.end(body);
}
