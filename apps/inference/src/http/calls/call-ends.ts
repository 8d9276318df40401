import { Refusal } from '@parlance/decider';
import { anthropicErrorForm, openAiErrorForm, problemOf } from '@parlance/http';
import type { FastifyReply } from 'fastify';
import type { CallFormat } from '../../adapters/calls/call-formats.ts';

/** The refusal of a step after which a stream can only end with an error. */
export async function refusalIn(step: Promise<void> | undefined): Promise<Refusal | null> {
  try {
    await step;
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The last event of a stream that a policy has ended, or whose response could not be stored. */
export function errorEvent(format: CallFormat, refusal: Refusal, reply: FastifyReply): string {
  const { body } = problemOf(refusal, reply.request.requestId);
  if (format !== 'anthropic') return `data: ${JSON.stringify(openAiErrorForm.of(body))}\n\n`;
  return `event: error\ndata: ${JSON.stringify(anthropicErrorForm.of(body))}\n\n`;
}
