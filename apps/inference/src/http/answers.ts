import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { CHILDREN_SHOWN } from '../projections/conversations.ts';
import { MessageRow, StopReason } from '../projections/messages/message-rows.ts';

/** An object that the model has written, in any form. */
const FreeObject = z.record(z.string(), z.unknown());

export const PendingCall = z.object({
  call_id: z.string(),
  name: z.string(),
  input: FreeObject,
  expires_at: z.number().describe('Time in epoch seconds at which the reply continues without the call.'),
});
export type PendingCall = z.infer<typeof PendingCall>;

const pendingCalls = z.array(PendingCall).describe("The tool calls that await the user's decision.");

export const AcceptedAnswer = z.object({
  conversation_id: z.string(),
  message_id: z.string().describe('ID of the reply.'),
  status: z.literal('awaiting_approval').optional().describe('Set with `Prefer: wait` if the reply is waiting for the user.'),
  tool_calls: pendingCalls.optional(),
});
export type AcceptedAnswer = z.infer<typeof AcceptedAnswer>;

/** A chunk of the prompt, answered as it is stored. */
export const UsedChunk = z.object({
  content: z.string(),
  content_type: z.literal('text'),
  source: z.string().describe('URL of a web page, URL of an S3 object, or name of a file.'),
  source_name: z.string().describe('Title of the page, or name of the file.'),
  source_id: z.string().describe('ID of the document, for related-documents.'),
  page_number: z.int().nullable().describe('Page of the document, from 1. Null if the document has no pages.'),
  heading: z.string().nullable().describe('Heading above the text. Null if there is none.'),
  rank: z.int().describe('Rank among the chunks of the reply, from 1. The marker [^1] in the text refers to rank 1.'),
  score: z.number().describe('Score in the search. Scores of different replies cannot be compared.'),
});
export type UsedChunk = z.infer<typeof UsedChunk>;

const { conversation_id, message_id, role, model, parent, status, error } = MessageRow.shape;

const TextPart = z.object({
  content_type: z.enum(['text', 'reasoning']).describe('`reasoning`: what the model reasoned before it answered.'),
  body: z.string(),
});

const ToolUse = z.object({ tool_use_id: z.string(), name: z.string(), input: FreeObject });
const ToolResult = z.object({
  tool_use_id: z.string(),
  name: z.string(),
  status: z.enum(['succeeded', 'failed', 'denied']).describe('`denied`: the user did not approve the call.'),
  content: z.string().describe('What the tool answered, or why it did not answer.'),
});

const file = {
  file_id: z.string().describe('For GET /conversation/{conversationId}/{messageId}/files/{fileId}.'),
  media_type: z.string().describe('Detected from the content of the file.'),
  size: z.int().describe('Bytes of the file.'),
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
  status: z
    .literal('removed')
    .optional()
    .describe('`removed`: a retention rule has removed the file, and it cannot be downloaded. Otherwise absent.'),
};
const ImagePart = z.object({ content_type: z.literal('image'), ...file });
const AttachmentPart = z.object({ content_type: z.literal('attachment'), file_name: z.string(), ...file });

const ToolUsePart = z.object({ content_type: z.literal('tool_use').describe('A tool call.'), body: ToolUse });
const ToolResultPart = z.object({ content_type: z.literal('tool_result').describe('The result of a tool call.'), body: ToolResult });

export const ContentPart = z.discriminatedUnion('content_type', [TextPart, ImagePart, AttachmentPart, ToolUsePart, ToolResultPart]);
export type ContentPart = z.infer<typeof ContentPart>;

export const Feedback = z.object({ thumbs_up: z.boolean(), category: z.string().nullable(), comment: z.string().nullable() });
export type Feedback = z.infer<typeof Feedback>;

export const MessageInMap = z.object({
  message_id,
  role,
  content: z
    .array(ContentPart)
    .describe(
      'Files and reasoning come before the text. Tool calls are at the positions where they were made. Empty for a reply that was stopped before its first word.',
    ),
  model,
  parent,
  children: z.array(z.string()).describe(`IDs of the messages that follow, the oldest first. At most the newest ${CHILDREN_SHOWN}.`),
  status,
  create_time: z.number().describe('When the message was accepted, or the reply requested, in epoch seconds.'),
  stop_reason: StopReason.optional(),
  guardrail: MessageRow.shape.guardrail.describe(
    'The guardrail of the bot or a policy of the installation has withheld the answer or the rest of it (`blocked`), or replaced parts of it (`masked`).',
  ),
  used_chunks: z
    .array(UsedChunk)
    .optional()
    .describe('The chunks on which the reply is based, the best first. Only if the bot has display_retrieved_chunks.'),
  feedback: Feedback.optional(),
  error: error.unwrap().optional(),
});
export type MessageInMap = z.infer<typeof MessageInMap>;

export const MessageAnswer = z.object({
  conversation_id,
  message: MessageInMap.omit({ status: true, error: true }),
  create_time: z.number().describe('Start of the conversation in epoch seconds.'),
  status: status.exclude(['processing', 'awaiting_approval']),
  error: error.unwrap().optional(),
});
export type MessageAnswer = z.infer<typeof MessageAnswer>;

export const ProcessingAnswer = z.object({ status: z.enum(['processing', 'awaiting_approval']), tool_calls: pendingCalls.optional() });
export type ProcessingAnswer = z.infer<typeof ProcessingAnswer>;

export const DecidedCall = z.object({
  conversation_id: z.string(),
  message_id: z.string().describe('ID of the reply.'),
  call_id: z.string(),
  approve: z.boolean(),
});
export type DecidedCall = z.infer<typeof DecidedCall>;

const { source, source_name, source_id } = UsedChunk.shape;

export const RelatedDocument = z.object({
  source_id,
  source,
  source_name,
  last_message_id: z.string().describe('ID of the latest reply that cites the document.'),
});
export type RelatedDocument = z.infer<typeof RelatedDocument>;

export const RelatedDocumentsAnswer = z.object({ related_documents: z.array(RelatedDocument), next_token: z.string().nullable() });
export type RelatedDocumentsAnswer = z.infer<typeof RelatedDocumentsAnswer>;

export const RelatedDocumentAnswer = z.object({
  source_id,
  source,
  source_name,
  chunks: z
    .array(UsedChunk.extend({ message_id: z.string().describe('ID of the reply that cites the chunk.') }))
    .describe('The chunks of the document that replies cite: the latest reply first, then by rank.'),
});
export type RelatedDocumentAnswer = z.infer<typeof RelatedDocumentAnswer>;

nameSchemas({
  PendingCall,
  AcceptedMessage: AcceptedAnswer,
  UsedChunk,
  ContentPart,
  Feedback,
  Message: MessageInMap,
  MessageAnswer,
  ProcessingMessage: ProcessingAnswer,
  DecidedCall,
  RelatedDocument,
  RelatedDocumentPage: RelatedDocumentsAnswer,
  RelatedDocumentChunks: RelatedDocumentAnswer,
});
