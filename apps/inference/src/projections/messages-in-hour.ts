import { firstIdAt } from '@parlance/event-store';
import type { ReadModels } from '@parlance/read-models';
import { query } from '../bus.ts';
import { type FeedbackRow, feedbackRows, temporaryRows } from './conversation-list.ts';
import { conversationRows, messageKey, type MessageRow, messageRows } from './messages/message-rows.ts';

/** Messages of one conversation in a page. */
const PAGE_OF_CONVERSATION = 100;
/** Bytes of sealed texts in one page, in all its conversations. One message may exceed it. */
const PAGE_BYTES = 512 * 1024;
/** Conversations read at the same time. */
const AT_ONCE = 16;

export interface RequestedConversation {
  readonly conversation_id: string;
  /** The last message of the page before. */
  readonly after?: string;
}

export interface MessagesOfHour {
  readonly conversation_id: string;
  /** Epoch milliseconds. Null for a conversation that is temporary, deleted or erased, or is being deleted or erased. */
  readonly started_at: number | null;
  /** The lowest ID first. */
  readonly messages: readonly MessageRow[];
  readonly feedback: ReadonlyMap<string, FeedbackRow>;
  /** The last message of this page, if others follow. */
  readonly next: string | null;
}

/**
 * Messages and replies of conversations whose IDs were created in a span of time. A page with long texts ends early: it has the first
 * conversations, at least one.
 */
export const MessagesInSpan = query(
  'MessagesInSpan',
  async (models, requested: readonly RequestedConversation[], from: number, to: number): Promise<readonly MessagesOfHour[]> => {
    const ids = requested.map((each) => each.conversation_id);
    const [conversations, temporary] = await Promise.all([models.getMany(conversationRows, ids), models.getMany(temporaryRows, ids)]);
    const found: MessagesOfHour[] = [];
    let bytes = 0;
    for (let begin = 0; begin < requested.length && bytes < PAGE_BYTES; begin += AT_ONCE) {
      const pages = await Promise.all(
        requested.slice(begin, begin + AT_ONCE).map(async (each) => {
          const row = conversations.get(each.conversation_id);
          const isShown = row !== undefined && !row.is_closed && !temporary.has(each.conversation_id);
          const page = isShown ? await pageOf(models, each, from, to) : NO_MESSAGES;
          return { conversation_id: each.conversation_id, started_at: isShown ? row.started_at : null, ...page };
        }),
      );
      for (const page of pages) {
        if (bytes >= PAGE_BYTES) break;
        found.push({ ...page, feedback: new Map() });
        for (const message of page.messages) bytes += sizeOf(message);
      }
    }
    return withFeedback(models, found);
  },
);

const NO_MESSAGES = { messages: [], next: null };

const sizeOf = ({ content, reasoning, used_chunk_bytes = 0, tools }: MessageRow) =>
  (content?.length ?? 0) + (reasoning?.length ?? 0) + used_chunk_bytes + (tools?.bytes ?? 0);

async function pageOf(models: ReadModels, { conversation_id, after }: RequestedConversation, from: number, to: number) {
  const { rows, next } = await models.find(messageRows, {
    index: 'key',
    from: messageKey(conversation_id, firstIdAt(from)),
    to: messageKey(conversation_id, firstIdAt(to)),
    limit: PAGE_OF_CONVERSATION,
    bytes: PAGE_BYTES,
    ...(after !== undefined && { after: [messageKey(conversation_id, after)] }),
  });
  // Chunks and tool results, which are in other rows, count too.
  let bytes = 0;
  const messages = rows.filter((row) => {
    const fits = bytes < PAGE_BYTES;
    bytes += sizeOf(row);
    return fits;
  });
  const last = messages.at(-1);
  return { messages, next: last && (next !== null || messages.length < rows.length) ? last.message_id : null };
}

async function withFeedback(models: ReadModels, found: readonly MessagesOfHour[]): Promise<readonly MessagesOfHour[]> {
  const keys = found.flatMap(({ conversation_id, messages }) =>
    messages.flatMap(({ role, message_id }) => (role === 'assistant' ? [messageKey(conversation_id, message_id)] : [])),
  );
  const rows = await models.getMany(feedbackRows, keys);
  if (rows.size === 0) return found;
  return found.map((each) => {
    const its = each.messages.flatMap(({ message_id }) => rows.get(messageKey(each.conversation_id, message_id)) ?? []);
    return { ...each, feedback: new Map(its.map((row) => [row.message_id, row])) };
  });
}
