// Node runs this source without compiling it in tests; see limits.ts.
import type { Draft, DraftFeedback, DraftMessage, Left } from './drafts.ts';
import { LONGEST_ID, LONGEST_MODEL, MOST_MESSAGE_BYTES } from './limits.ts';

export interface TreeMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parent: string | null;
  readonly text: string;
  readonly at: number;
  /** The time in the source, which is the same in every import. */
  readonly sourceTime: number;
  readonly model: string | null;
  readonly feedback?: DraftFeedback;
}

export interface Tree {
  /** Each message comes after its parent. */
  readonly messages: readonly TreeMessage[];
  /** The message that is shown last. Null if there are no messages. */
  readonly current: string | null;
}

interface Above {
  readonly id: string | null;
  readonly at: number;
  readonly sourceTime: number;
}

/**
 * The messages of a draft that are kept, each after its parent. The children of a dropped message get its parent. Messages in a cycle of parents
 * are dropped. Not recursive, because a source may be as deep as it is long.
 */
export function treeOf({ messages, startedAt, current, left }: Draft, now: number): Tree {
  const { byId, children, roots } = linked(messages, left);
  const kept: TreeMessage[] = [];
  /** For each visited message: the message itself if it is kept, or else its nearest kept ancestor. */
  const standIns = new Map<string, Above>();
  const start = Math.min(startedAt ?? now, now);
  const waiting = [...roots].reverse();
  while (waiting.length > 0) {
    const draft = waiting.pop()!;
    const above = (draft.parent === null ? undefined : standIns.get(draft.parent)) ?? { id: null, at: start, sourceTime: startedAt ?? 0 };
    // A time in the future would protect a conversation from retention rules.
    const at = Math.min(draft.at ?? above.at, now);
    const sourceTime = draft.at ?? above.sourceTime;
    const message = keptOf(draft, { id: above.id, at, sourceTime }, left);
    if (message) kept.push(message);
    standIns.set(draft.id, message ?? above);
    const its = children.get(draft.id) ?? [];
    for (let index = its.length - 1; index >= 0; index--) waiting.push(its[index]!);
  }
  for (let cut = standIns.size; cut < byId.size; cut++) left.add('parent_cycle');
  const shown = current === null ? null : (standIns.get(current)?.id ?? null);
  return { messages: kept, current: shown ?? kept.reduce<TreeMessage | null>(later, null)?.id ?? null };
}

const later = (a: TreeMessage | null, b: TreeMessage): TreeMessage => (a !== null && a.at > b.at ? a : b);

function linked(messages: readonly DraftMessage[], left: Left) {
  const byId = new Map<string, DraftMessage>();
  for (const message of messages) {
    // A hash treats all lone surrogates as the same character, so two such IDs would become one.
    if (message.id === '' || message.id.length > LONGEST_ID || message.id !== wellFormed(message.id)) left.add('invalid_message');
    else if (byId.has(message.id)) left.add('duplicate_message');
    else byId.set(message.id, message);
  }
  const children = new Map<string, DraftMessage[]>();
  const roots: DraftMessage[] = [];
  for (const message of byId.values()) {
    const { parent } = message;
    if (parent === null || !byId.has(parent)) {
      if (parent !== null) left.add('parent_missing');
      roots.push(message);
      continue;
    }
    const siblings = children.get(parent);
    if (siblings) siblings.push(message);
    else children.set(parent, [message]);
  }
  return { byId, children, roots };
}

/** `above`: the ID of the parent, and the times of the message. */
function keptOf({ id, role, text, model, feedback }: DraftMessage, above: Above, left: Left): TreeMessage | null {
  if (role === null || text.trim() === '') return null;
  if (Buffer.byteLength(text) > MOST_MESSAGE_BYTES) {
    left.add('text_too_long');
    return null;
  }
  const name = model === null || model === '' ? null : model.slice(0, LONGEST_MODEL);
  const { id: parent, at, sourceTime } = above;
  return { id, role, parent, text: wellFormed(text), at, sourceTime, model: name && wellFormed(name), ...(feedback && { feedback }) };
}

/** Replaces characters that stored texts must not contain. */
export const wellFormed = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
