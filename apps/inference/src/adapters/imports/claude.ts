// Node runs this source without compiling it in tests; see limits.ts.
import { type Draft, type DraftMessage, isObject, joined, Left, listIn, memberOf, millisOf, textIn } from './drafts.ts';

/** The parent of a first message. */
const ROOT = '00000000-0000-4000-8000-000000000000';

const REASONS: ReadonlyMap<unknown, 'reasoning' | 'tool_message' | 'image' | 'attachment'> = new Map([
  ['thinking', 'reasoning'],
  ['redacted_thinking', 'reasoning'],
  ['tool_use', 'tool_message'],
  ['tool_result', 'tool_message'],
  ['image', 'image'],
  ['document', 'attachment'],
]);

/** Reads a conversation of a Claude export. In older exports, which do not name parents, each message follows the one before it. Null for anything else. */
export function claudeDraft(value: unknown): Draft | null {
  const sourceId = textIn(memberOf(value, 'uuid'));
  const list = memberOf(value, 'chat_messages');
  if (sourceId === null || !Array.isArray(list)) return null;
  const left = new Left();
  const messages: DraftMessage[] = [];
  const hasParents = list.some((message) => typeof memberOf(message, 'parent_message_uuid') === 'string');
  let last: string | null = null;
  for (const message of list as readonly unknown[]) {
    const id = textIn(memberOf(message, 'uuid'));
    if (!isObject(message) || id === null) {
      left.add('invalid_message');
      continue;
    }
    const named = textIn(memberOf(message, 'parent_message_uuid'));
    messages.push(messageOf(id, hasParents ? (named === ROOT ? null : named) : last, message, left));
    last = id;
  }
  return {
    sourceId,
    title: textIn(memberOf(value, 'name')) ?? '',
    startedAt: dateOf(memberOf(value, 'created_at')),
    current: textIn(memberOf(value, 'current_leaf_message_uuid')) ?? last,
    messages,
    left,
  };
}

function messageOf(id: string, parent: string | null, message: object, left: Left): DraftMessage {
  const sender = textIn(memberOf(message, 'sender'));
  const role = sender === 'human' ? 'user' : sender === 'assistant' ? 'assistant' : null;
  if (role === null) left.add('unknown_role');
  for (const name of ['attachments', 'files']) for (const _ of listIn(memberOf(message, name))) left.add('attachment');
  const texts: string[] = [];
  for (const part of listIn(memberOf(message, 'content'))) {
    const type = memberOf(part, 'type');
    const text = memberOf(part, 'text');
    if (type === 'text' && typeof text === 'string') texts.push(text);
    else left.add(REASONS.get(type) ?? 'unknown_content');
  }
  const text = texts.length > 0 ? joined(texts) : (textIn(memberOf(message, 'text')) ?? '');
  return { id, parent, role, text, at: dateOf(memberOf(message, 'created_at')), model: null };
}

/** Characters of a date. Date.parse is slow for long texts. */
const LONGEST_DATE = 40;

const dateOf = (value: unknown): number | null =>
  typeof value === 'string' && value.length <= LONGEST_DATE ? millisOf(Date.parse(value)) : null;
