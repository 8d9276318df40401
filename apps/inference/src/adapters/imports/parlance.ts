// Node runs this source without compiling it in tests; see limits.ts.
import { type Draft, type DraftFeedback, type DraftMessage, isObject, joined, Left, listIn, memberOf, millisOf, textIn } from './drafts.ts';

export const CONVERSATION_FORMAT = 'parlance-conversation/1';
export const OWN_DATA_FORMAT = 'parlance-own-data/1';

const REASONS: ReadonlyMap<unknown, 'reasoning' | 'tool_message' | 'image' | 'attachment'> = new Map([
  ['reasoning', 'reasoning'],
  ['tool_use', 'tool_message'],
  ['tool_result', 'tool_message'],
  ['image', 'image'],
  ['attachment', 'attachment'],
  ['file', 'attachment'],
]);

/** Reads a conversation of the format `parlance-conversation/1`. Null for anything else. */
export function parlanceDraft(value: unknown): Draft | null {
  const sourceId = textIn(memberOf(value, 'id'));
  const list = memberOf(value, 'messages');
  if (memberOf(value, 'format') !== CONVERSATION_FORMAT || sourceId === null || !Array.isArray(list)) return null;
  const left = new Left();
  if (textIn(memberOf(value, 'bot_id')) !== null) left.add('bot_not_linked');
  const messages: DraftMessage[] = [];
  for (const message of list as readonly unknown[]) {
    const id = textIn(memberOf(message, 'id'));
    if (!isObject(message) || id === null) left.add('invalid_message');
    else messages.push(messageOf(id, message, left));
  }
  return {
    sourceId,
    title: textIn(memberOf(value, 'title')) ?? '',
    startedAt: millisOf(memberOf(value, 'create_time')),
    current: textIn(memberOf(value, 'last_message_id')),
    messages,
    left,
  };
}

function messageOf(id: string, message: object, left: Left): DraftMessage {
  const role = memberOf(message, 'role');
  const isKept = role === 'user' || role === 'assistant';
  if (!isKept) left.add(role === 'system' ? 'system_message' : role === 'tool' ? 'tool_message' : 'unknown_role');
  const texts: string[] = [];
  for (const part of listIn(memberOf(message, 'content'))) {
    const type = memberOf(part, 'type');
    const text = memberOf(part, 'text');
    if (type === 'text' && typeof text === 'string') texts.push(text);
    else left.add(REASONS.get(type) ?? 'unknown_content');
  }
  const feedback = role === 'assistant' ? feedbackOf(memberOf(message, 'feedback')) : null;
  return {
    id,
    parent: textIn(memberOf(message, 'parent_id')),
    role: isKept ? role : null,
    text: joined(texts),
    at: millisOf(memberOf(message, 'create_time')),
    model: textIn(memberOf(message, 'model')),
    ...(feedback && { feedback }),
  };
}

/** One word, as in feedback given here, because it is not sealed. */
const CATEGORY = /^[\w-]{1,50}$/;
const LONGEST_COMMENT = 10_000;

function feedbackOf(value: unknown): DraftFeedback | null {
  const thumbsUp = memberOf(value, 'thumbs_up');
  if (typeof thumbsUp !== 'boolean') return null;
  const category = textIn(memberOf(value, 'category'));
  const comment = textIn(memberOf(value, 'comment'));
  return {
    thumbs_up: thumbsUp,
    category: category !== null && CATEGORY.test(category) ? category : null,
    comment: comment !== null && comment.length <= LONGEST_COMMENT ? comment : null,
  };
}
