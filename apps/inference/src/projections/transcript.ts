import type { ReadModels } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { MessageFile } from '../domain/conversation-events.ts';
import { messageKey, type MessageRow, messageRows, messagesOf } from './messages/message-rows.ts';

/** The most messages and replies in a prompt, including the question. */
export const TRANSCRIPT_TURNS = 50;
/** The most bytes of text in a prompt, without files. The question itself is always complete. */
export const TRANSCRIPT_BYTES = 256 * 1024;

/** One turn of a conversation, the text still sealed. */
export interface SealedTurn {
  readonly role: MessageRow['role'];
  readonly content: string;
  readonly files?: readonly MessageFile[];
  /** The `ClientTerms` that the client of a published bot sent with the message, sealed. */
  readonly terms?: string;
}

/**
 * The turns that led to a question, oldest first: along its own branch, and only as many of the latest as the two limits allow. Leaves out
 * failed replies.
 */
export const Transcript = query(
  'Transcript',
  /** `parentId`: the message that the question answers. `questionBytes`: bytes of the question's text. */
  async (models, conversationId: string, parentId: string | null, questionBytes: number): Promise<readonly SealedTurn[]> => {
    const turns: SealedTurn[] = [];
    if (parentId === null) return turns;
    const latest = await latestOf(models, conversationId);
    let bytes = TRANSCRIPT_BYTES - questionBytes;
    let messageId: string | null = parentId;
    for (let turn = 1; turn < TRANSCRIPT_TURNS && messageId !== null && bytes > 0; turn++) {
      // Usually the whole branch is among the latest messages, which one query has read.
      const row: MessageRow | null = latest.get(messageId) ?? (await models.get(messageRows, messageKey(conversationId, messageId)));
      if (!row) break;
      if (row.content !== null && row.status !== 'failed') {
        const { role, content, files, terms } = row;
        // Models accept files only of users.
        const sealed = { role, content, ...(files && role === 'user' && { files }), ...(terms !== undefined && { terms }) };
        bytes -= textBytes(sealed);
        if (bytes >= 0) turns.push(sealed);
      }
      messageId = row.parent;
    }
    return turns.reverse();
  },
);

async function latestOf(models: ReadModels, conversationId: string): Promise<ReadonlyMap<string, MessageRow>> {
  const { rows } = await models.find(messageRows, {
    ...messagesOf(conversationId),
    order: 'desc',
    // One more, because the rows include the reply to the question, which is not a turn of the prompt.
    limit: TRANSCRIPT_TURNS + 1,
    bytes: TRANSCRIPT_BYTES,
  });
  return new Map(rows.map((row) => [row.message_id, row]));
}

/** Bytes of a turn's texts: base64url has four characters per three bytes. The few extra bytes of sealing count too. */
export const textBytes = ({ content, terms = '' }: Pick<SealedTurn, 'content' | 'terms'>): number =>
  Math.floor((content.length * 3) / 4) + Math.floor((terms.length * 3) / 4);
