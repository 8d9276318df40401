import { z } from 'zod';
import { MessageRow } from '../projections/messages.ts';

export const AcceptedAnswer = z.object({
  conversation_id: z.string(),
  message_id: z.string().describe('ID of the reply.'),
});
export type AcceptedAnswer = z.infer<typeof AcceptedAnswer>;

const { conversation_id, message_id, role, model, parent } = MessageRow.shape;

export const MessageAnswer = z.object({
  conversation_id,
  message: z.object({
    message_id,
    role,
    content: z.array(z.object({ content_type: z.literal('text'), body: z.string() })),
    model,
    parent,
  }),
  create_time: z.number().describe('Start of the conversation in epoch seconds.'),
  status: MessageRow.shape.status.exclude(['processing']),
  error: MessageRow.shape.error.unwrap().optional(),
});
export type MessageAnswer = z.infer<typeof MessageAnswer>;

export const ProcessingAnswer = z.object({ status: z.literal('processing') });
export type ProcessingAnswer = z.infer<typeof ProcessingAnswer>;
