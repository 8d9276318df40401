import type { ReadModels } from '@parlance/read-models';
import { query } from '../bus.ts';
import type { MessageFile } from '../domain/conversation-events.ts';
import { messageKey, type MessageRow, messageRows, messagesOf } from './messages/message-rows.ts';

/** Messages and replies that a model is given at most, the question included. */
export const TRANSCRIPT_TURNS = 50;
/** Bytes of text that a model is given at most beside files. The question itself is given whole. */
export const TRANSCRIPT_BYTES = 256 * 1024;

/** One turn of a conversation, the text still sealed. */
export interface SealedTurn {
  readonly role: MessageRow['role'];
  readonly content: string;
  readonly files?: readonly MessageFile[];
  /** Texts that a program has sent with it, sealed. */
  readonly terms?: string;
}

/**
 * The turns that led to a question, oldest first: along its own branch, and only as many of the latest as the two limits allow. Replies
 * that failed are left out.
 */
export const Transcript = query(
  'Transcript',
  /** `parentId`: the message that the question answers. `questionBytes`: bytes of the question's text. */
  async (models, conversationId: string, parentId: string | null, questionBytes: number): Promise<readonly SealedTurn[]> => {
    const turns: SealedTurn[] = [];
    if (parentId === null) return turns;
    const latest = await latestOf(models, conversationId);
    let bytes = TRANSCRIPT_BYTES - questionBytes;
    let at: string | null = parentId;
    for (let turn = 1; turn < TRANSCRIPT_TURNS && at !== null && bytes > 0; turn++) {
      // Mostly the branch is the end of the conversation, which is read at once.
      const row: MessageRow | null = latest.get(at) ?? (await models.get(messageRows, messageKey(conversationId, at)));
      if (!row) break;
      if (row.content !== null && row.status !== 'failed') {
        const { role, content, files, terms } = row;
        const sealed = { role, content, ...(files && { files }), ...(terms !== undefined && { terms }) };
        bytes -= textBytes(sealed);
        if (bytes >= 0) turns.push(sealed);
      }
      at = row.parent;
    }
    return turns.reverse();
  },
);

async function latestOf(models: ReadModels, conversationId: string): Promise<ReadonlyMap<string, MessageRow>> {
  const { rows } = await models.find(messageRows, {
    ...messagesOf(conversationId),
    order: 'desc',
    // The question and its reply are among them.
    limit: TRANSCRIPT_TURNS + 1,
    bytes: TRANSCRIPT_BYTES,
  });
  return new Map(rows.map((row) => [row.message_id, row]));
}

/** Bytes of a turn's texts: base64url has four characters for three bytes. The few bytes around a sealed text are counted with it. */
export const textBytes = ({ content, terms = '' }: Pick<SealedTurn, 'content' | 'terms'>): number =>
  Math.floor((content.length * 3) / 4) + Math.floor((terms.length * 3) / 4);
