import { ULID_PATTERN } from '@parlance/http';
import { IsArray, IsObject, ArrayMaxSize, Matches } from 'class-validator';
import { z } from 'zod';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_FILE_NAME, MAX_IMAGES } from '../../domain/file-limits.ts';
import { MAX_TEXT_BYTES } from '../bodies/message-body.ts';

/** Conversations of one request. */
const MOST_CONVERSATIONS = 200;
/** Messages of one part of a conversation, which is one append. */
export const MOST_MESSAGES_OF_PART = 500;
/** Bytes of a request. A message with the largest attachment fits. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;

const id = z.string().regex(new RegExp(ULID_PATTERN));
const instant = z.int().nonnegative().max(8_640_000_000_000);
const text = z.string().max(MAX_TEXT_BYTES);
const model = z.string().min(1).max(128);
const base64 = z
  .string()
  .min(1)
  .max(Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4);

const MessageToImport = z.strictObject({
  id,
  role: z.enum(['user', 'assistant']),
  parent: id.nullable(),
  at: instant,
  model,
  text: text.nullable(),
  reasoning: text.optional(),
  files: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('image'), body: base64 }),
        z.strictObject({ kind: z.literal('attachment'), name: z.string().min(1).max(MAX_FILE_NAME), body: base64 }),
      ]),
    )
    .max(MAX_IMAGES + MAX_ATTACHMENTS)
    .optional(),
  chunks: z
    .array(
      z.strictObject({ content: text, source: text, source_name: text, source_id: model, page_number: z.int().nullable(), rank: z.int() }),
    )
    .max(100)
    .optional(),
  feedback: z
    .strictObject({ thumbs_up: z.boolean(), category: z.string().max(200).nullable(), comment: z.string().max(10_000).nullable() })
    .optional(),
});
export type MessageToImport = z.infer<typeof MessageToImport>;

export const ConversationToImport = z.strictObject({
  id,
  user_id: id,
  bot_id: id.nullable(),
  part: z.int().nonnegative().max(10_000),
  title: z.string().min(1).max(200),
  started_at: instant,
  last_message_id: id,
  last_message_at: instant,
  model,
  cost_nano_dollars: z.int().nonnegative(),
  /** The conversation belonged to a published API. Only its cost is imported. */
  use_only: z.literal(true).optional(),
  messages: z.array(MessageToImport).max(MOST_MESSAGES_OF_PART),
});
export type ConversationToImport = z.infer<typeof ConversationToImport>;

/** The conversation, or a refusal if it is invalid. */
export function checkedConversation(conversation: object): ConversationToImport | RefusedConversation {
  const { success, data, error } = ConversationToImport.safeParse(conversation);
  if (success) return data;
  const [issue] = error.issues;
  const detail = `${issue?.path.join('.')}: ${issue?.message}`;
  return { id: String((conversation as { id?: unknown }).id), status: 'refused', code: 'invalid_conversation', detail };
}

interface RefusedConversation {
  readonly id: string;
  readonly status: 'refused';
  readonly code: string;
  readonly detail: string;
}

export const IMPORT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Conversations are checked one by one, so that an invalid one does not prevent the others from being imported. */
export class ImportBody {
  @Matches(IMPORT_NAME) name!: string;
  @IsArray() @ArrayMaxSize(MOST_CONVERSATIONS) @IsObject({ each: true }) conversations!: object[];
}
