import { ParlanceError } from '@parlance/client';
import type { Conversation, Message, MessageFeedback } from '@parlance/client/types';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { type LoadedConversation, withKnown } from './loaded-conversation.ts';
import { unsentId } from './message-tree.ts';

const PAGE = 50;
/** A new conversation might not be readable yet. */
const TRIES = 4;
const PAUSE_MILLIS = 300;

const keyOf = (id: string) => ['conversation', id] as const;

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: async (): Promise<LoadedConversation> => withKnown(await newest(id), queryClient.getQueryData<LoadedConversation>(keyOf(id))),
    staleTime: 5_000,
  });

async function newest(id: string): Promise<Conversation> {
  for (let tries = 1; ; tries++) {
    try {
      return await parlance.conversations.get(id, { limit: PAGE });
    } catch (error) {
      const isNew = queryClient.getQueryData(keyOf(id)) !== undefined;
      if (!isNew || tries >= TRIES || !(error instanceof ParlanceError) || error.status !== 404) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS * tries));
    }
  }
}

export async function loadEarlier(id: string, limit = PAGE): Promise<void> {
  const token = queryClient.getQueryData<LoadedConversation>(keyOf(id))?.next_token;
  if (!token) return;
  const page = await parlance.conversations.get(id, { limit, next_token: token });
  queryClient.setQueryData<LoadedConversation>(keyOf(id), (known) =>
    known && known.next_token === token
      ? { ...known, messages: { ...page.message_map, ...known.messages }, next_token: page.next_token }
      : known,
  );
}

/** Shows a rating that the server has accepted. */
export function keepFeedback({ conversation_id, message_id, ...feedback }: MessageFeedback): void {
  queryClient.setQueryData<LoadedConversation>(keyOf(conversation_id), (known) => {
    const message = known?.messages[message_id];
    return known && message ? { ...known, messages: { ...known.messages, [message_id]: { ...message, feedback } } } : known;
  });
  // A read that is under way may still return the state before the rating.
  const queryKey = keyOf(conversation_id);
  if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
}

/** Fields of a message that the server has not confirmed yet. */
const fresh = { children: [], create_time: 0, error: undefined };

export interface Asked {
  readonly conversationId: string;
  readonly replyId: string;
  readonly botId: string | null;
  readonly model: string;
  readonly isTemporary: boolean;
  readonly hasMemory: boolean;
  readonly projectId: string | null;
  /** The preceding message; null for the first one. */
  readonly parentId: string | null;
  /** Null if only another reply to the parent is requested. */
  readonly question: Message['content'] | null;
}

/** Shows a question and its running reply before they are read from the server. */
export function addUnsent({ conversationId, replyId, botId, model, isTemporary, hasMemory, projectId, parentId, question }: Asked): void {
  const questionId = question === null ? parentId : unsentId(replyId);
  const now = Math.floor(Date.now() / 1_000);
  const added: Record<string, Message> = {
    [replyId]: { ...fresh, message_id: replyId, role: 'assistant', status: 'processing', content: [], model, parent: questionId },
  };
  if (question !== null && questionId !== null)
    added[questionId] = {
      ...fresh,
      message_id: questionId,
      role: 'user',
      status: 'completed',
      content: question,
      model,
      parent: parentId,
      children: [replyId],
      create_time: now,
    };
  queryClient.setQueryData<LoadedConversation>(keyOf(conversationId), (known) => ({
    ...(known ?? {
      conversation_id: conversationId,
      bot_id: botId,
      title: titleOf(question),
      create_time: now,
      total_price: 0,
      next_token: null,
      model,
      temporary: isTemporary,
      pinned: false,
      memory: hasMemory,
      project_id: projectId,
    }),
    last_message_id: replyId,
    last_message_time: now,
    messages: { ...known?.messages, ...added },
  }));
}

const LONGEST_TITLE = 80;

/** The provisional title of a chat until the server has titled it. */
const titleOf = (question: Message['content'] | null): string => {
  const text = question?.flatMap((part) => (part.content_type === 'text' ? [part.body] : []))[0] ?? '';
  return text.trim().split('\n')[0]!.slice(0, LONGEST_TITLE);
};
