import type { ConversationEvent } from './conversation.ts';

/** One turn of what led to a reply; the content is still sealed. */
export interface SealedTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a reply answers: from the beginning of the conversation along its branch, oldest first. Replies that failed said nothing. */
export function transcript(history: readonly ConversationEvent[], replyId: string): readonly SealedTurn[] {
  const questions = new Map<string, { parentId: string | null; content: string; replyId: string }>();
  const byReply = new Map<string, string>();
  const answers = new Map<string, string>();
  for (const event of history) {
    if (event.type === 'MessageSubmitted') {
      questions.set(event.messageId, event);
      byReply.set(event.replyId, event.messageId);
    }
    if (event.type === 'ReplyCompleted') answers.set(event.replyId, event.content);
  }
  const turns: SealedTurn[] = [];
  let at: string | null = byReply.get(replyId) ?? null;
  while (at !== null) {
    const question = questions.get(at);
    if (question) {
      turns.push({ role: 'user', content: question.content });
      at = question.parentId;
    } else {
      const answer = answers.get(at);
      if (answer !== undefined) turns.push({ role: 'assistant', content: answer });
      at = byReply.get(at) ?? null;
    }
  }
  return turns.reverse();
}
