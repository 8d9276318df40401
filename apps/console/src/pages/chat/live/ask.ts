import type { ContentPart, MessageBody, PostMessageBody } from '@parlance/client/types';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { addUnsent } from '../conversation/conversation-query.ts';
import { nameAfterFirstReply } from './new-chat-names.ts';
import { liveReplies } from './replies.ts';

export interface Ask {
  /** Null starts a new chat. */
  readonly conversationId: string | null;
  readonly botId: string | null;
  /** Null for the default of the bot or the installation, while the models are unknown. */
  readonly model: string | null;
  readonly isReasoning: boolean;
  /** For a new chat: it appears in no list, and is deleted a few hours after its last message. */
  readonly isTemporary?: boolean;
  /** For a new chat: false if its prompts are to have nothing of the user's memory. */
  readonly hasMemory?: boolean;
  /** For a new chat: the project in which it begins. */
  readonly projectId?: string | null;
  /** The preceding message: for another reply the user's message, for a continuation the reply. */
  readonly parentId: string | null;
  readonly content: MessageBody['content'];
  readonly isContinuation?: boolean;
  /** The user's message above the continued reply. */
  readonly questionId?: string | null;
}

/** Sends a message, or requests another reply or a continuation. Resolves when the reply starts; `liveReplies` then receives it. */
export async function ask(request: Ask): Promise<{ conversationId: string; replyId: string }> {
  const {
    conversationId,
    botId,
    model,
    isReasoning,
    parentId,
    content,
    isContinuation = false,
    isTemporary = false,
    hasMemory = true,
    projectId = null,
  } = request;
  const body: PostMessageBody = {
    message: { content, ...(model !== null && { model }), ...(parentId !== null && { parent_message_id: parentId }) },
    ...(conversationId !== null && { conversation_id: conversationId }),
    ...(botId !== null && { bot_id: botId }),
    ...(conversationId === null && isTemporary && { temporary: true }),
    ...(conversationId === null && !hasMemory && { memory: false }),
    ...(conversationId === null && projectId !== null && !isTemporary && { project_id: projectId }),
    ...(isReasoning && { enable_reasoning: true }),
    ...(isContinuation && { continue_generate: true }),
  };
  const begun = await liveReplies.begin((signal) => parlance.conversations.stream(body, { signal }));
  addUnsent({
    ...begun,
    botId,
    model: model ?? '',
    isTemporary,
    hasMemory,
    projectId: isTemporary ? null : projectId,
    parentId: isContinuation ? (request.questionId ?? null) : parentId,
    question: content.length === 0 ? null : shownContent(content),
  });
  if (conversationId === null) {
    nameAfterFirstReply(begun.conversationId);
    void queryClient.invalidateQueries({ queryKey: ['chats'] });
  }
  return begun;
}

/** Files have no ID until the server has stored them. */
const shownContent = (content: MessageBody['content']): ContentPart[] =>
  content.map((part): ContentPart => {
    if (part.content_type === 'text') return part;
    const file = { file_id: '', sha256: '', size: Math.floor((part.body.length * 3) / 4) };
    if (part.content_type === 'image') return { content_type: 'image', media_type: part.media_type, ...file };
    return { content_type: 'attachment', media_type: '', file_name: part.file_name, ...file };
  });
