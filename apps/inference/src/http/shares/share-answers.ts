import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { MAX_TITLE } from '../../domain/title-rule.ts';

const share = {
  share_id: z.string(),
  conversation_id: z.string(),
  audience: z
    .enum(['signed_in', 'public'])
    .describe(
      '`signed_in`: signed-in users who have the link. `public`: also anonymous callers who have the link, while the installation allows public links.',
    ),
  create_time: z.int().describe('When the conversation was shared, in epoch seconds. Later messages are not in the share.'),
  expires_at: z.int().nullable().describe('When the share expires, in epoch seconds. Null if it does not expire.'),
  include_attachments: z.boolean(),
  include_sources: z.boolean().describe('Whether the texts that replies cite are shared.'),
  messages: z.int().describe('Number of messages and replies in the share.'),
};

export const Share = z.object({ ...share, title: z.string().max(MAX_TITLE) });
export type Share = z.infer<typeof Share>;

export const CreatedShare = Share.extend({
  url: z
    .string()
    .meta({ 'x-secret': true, description: 'URL of the shared conversation. Only in this answer, because its token is stored as a hash.' }),
});
export type CreatedShare = z.infer<typeof CreatedShare>;

export const SharesAnswer = z.object({ shares: z.array(Share), next_token: z.string().nullable() });
export type SharesAnswer = z.infer<typeof SharesAnswer>;

export const AdminShare = z.object({ ...share, user_id: z.string().describe('ID of the owner.'), bot_id: z.string().nullable() });
export type AdminShare = z.infer<typeof AdminShare>;

export const AdminSharesAnswer = z.object({ shares: z.array(AdminShare), next_token: z.string().nullable() });
export type AdminSharesAnswer = z.infer<typeof AdminSharesAnswer>;

const file = {
  file_id: z.string().describe('For GET /shared/{token}/files/{fileId}.'),
  media_type: z.string().describe('Detected from the content of the file.'),
  size: z.int().describe('Bytes of the file.'),
};

export const SharedPart = z.discriminatedUnion('content_type', [
  z.object({ content_type: z.literal('text'), body: z.string() }),
  z.object({ content_type: z.literal('image'), ...file }),
  z.object({ content_type: z.literal('attachment'), file_name: z.string(), ...file }),
]);
export type SharedPart = z.infer<typeof SharedPart>;

export const SharedChunk = z.object({
  content: z.string(),
  source: z.string().describe('URL of a web page, URL of an S3 object, or name of a file.'),
  source_name: z.string().describe('Title of the page, or name of the file.'),
  page_number: z.int().nullable().describe('Page of the document, from 1. Null if the document has no pages.'),
  heading: z.string().nullable().describe('Heading above the text. Null if there is none.'),
  rank: z.int().describe('The marker [^1] in the text refers to rank 1.'),
});

export const SharedMessage = z.object({
  role: z.enum(['user', 'assistant']),
  status: z.enum(['completed', 'failed']),
  content: z
    .array(SharedPart)
    .describe('The text, after the files if the owner shares them. Reasoning, tool calls and their results are never shared.'),
  model: z.string(),
  model_name: z.string().describe('Name of the model. Its ID if the model was removed.'),
  create_time: z.int().describe('In epoch seconds.'),
  used_chunks: z.array(SharedChunk).optional().describe('The texts that the reply cites, if the owner shares sources.'),
});
export type SharedMessage = z.infer<typeof SharedMessage>;

export const SharedConversation = z.object({
  title: z.string().max(MAX_TITLE),
  create_time: z.int().describe('When the conversation was shared, in epoch seconds.'),
  expires_at: z.int().nullable().describe('When the share expires, in epoch seconds. Null if it does not expire.'),
  messages: z.array(SharedMessage).describe('The oldest first.'),
  next_token: z.string().nullable().describe('For the messages that follow. Null on the last page.'),
});
export type SharedConversation = z.infer<typeof SharedConversation>;

nameSchemas({
  Share,
  CreatedShare,
  SharePage: SharesAnswer,
  AdminShare,
  AdminSharePage: AdminSharesAnswer,
  SharedPart,
  SharedChunk,
  SharedMessage,
  SharedConversation,
});
