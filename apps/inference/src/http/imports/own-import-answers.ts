import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { MOST_CONVERSATIONS } from '../../adapters/imports/limits.ts';
import type { Source } from '../../adapters/imports/drafts.ts';
import type { LeftOutOf, OwnReport } from '../../workflows/imports/own-imports.ts';

type Reason = LeftOutOf['reason'];

/** One sentence for each reason. */
const DETAILS = {
  system_message: 'System instructions are not imported.',
  tool_message: 'Tool calls and their results are not imported.',
  reasoning: 'The reasoning of a model is not imported.',
  image: 'Images are not imported.',
  attachment: 'Attached files are not imported.',
  unknown_content: 'The message has content of an unknown type, which is not imported.',
  unknown_role: 'The author of the message is neither the user nor an assistant.',
  text_too_long: 'The text of the message is too long.',
  parent_missing: 'The preceding message is not in the file. The message is imported as a first message.',
  parent_cycle: 'The message is part of a cycle of parents.',
  duplicate_message: 'Another message of the conversation has the same ID. The first one is imported.',
  invalid_message: 'The message has no ID, or is not an object.',
  bot_not_linked: 'The conversation was with a bot. It is imported without the bot.',
  invalid_conversation: 'The conversation has no valid ID, or its messages do not match the format.',
  duplicate_conversation: 'Another conversation in the file has the same ID. The first one is imported.',
  no_messages: 'The conversation has no message with a text.',
  too_many_messages: 'The conversation has too many messages.',
  conversation_id_taken: 'The ID of the conversation is already in use.',
  import_changed:
    'An earlier import of this conversation was interrupted, and the file has changed since. Import the earlier file again, or delete the conversation.',
  import_refused: 'The conversation could not be stored. Try again.',
} as const satisfies Record<Reason, string>;

/** Entries of one answer. */
const MOST_LEFT_OUT = 1_000;

const REASONS = Object.keys(DETAILS) as [Reason, ...Reason[]];

export const ConversationImport = z.object({
  dry_run: z.boolean(),
  source: z.enum(['parlance', 'chatgpt', 'claude']).describe('The format of the file.'),
  is_complete: z.boolean().describe('False if the time was too short for all conversations. Send the same request again.'),
  imported: z.int().describe('Conversations that were imported, or would be with `dry_run`.'),
  unchanged: z.int().describe('Conversations that already existed.'),
  deleted: z.int().describe('Conversations that you have deleted. They stay deleted.'),
  conversations: z
    .array(
      z.object({
        source_id: z.string().describe('ID in the file.'),
        conversation_id: z.string(),
        status: z.enum(['imported', 'unchanged', 'deleted']),
        messages: z.int().describe('Messages in the file that can be imported.'),
      }),
    )
    .max(MOST_CONVERSATIONS)
    .describe('In the order of the file.'),
  left_out: z
    .array(
      z.object({
        source_id: z.string().describe('ID of the conversation in the file.'),
        reason: z.enum(REASONS),
        count: z.int().describe('How often the conversation had this.'),
        detail: z.string(),
      }),
    )
    .max(MOST_LEFT_OUT)
    .describe('Conversations, messages and parts of messages that were left out, and why.'),
  left_out_in_all: z.int().describe(`Number of entries that \`left_out\` would have without its limit of ${MOST_LEFT_OUT}.`),
});
export type ConversationImport = z.infer<typeof ConversationImport>;

nameSchemas({ ConversationImport });

export function importAnswer(source: Source, isDryRun: boolean, { isComplete, outcomes, leftOut }: OwnReport): ConversationImport {
  const count = (wanted: string) => outcomes.filter(({ status }) => status === wanted).length;
  return {
    dry_run: isDryRun,
    source,
    is_complete: isComplete,
    imported: count('imported'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    conversations: outcomes.map(({ sourceId, conversationId, status, messages }) => ({
      source_id: sourceId,
      conversation_id: conversationId,
      status,
      messages,
    })),
    left_out: leftOut
      .slice(0, MOST_LEFT_OUT)
      .map(({ sourceId, reason, count: its }) => ({ source_id: sourceId, reason, count: its, detail: DETAILS[reason] })),
    left_out_in_all: leftOut.length,
  };
}
