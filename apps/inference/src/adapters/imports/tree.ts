// Node runs this source without compiling it in tests; see limits.ts.
import type { Draft, DraftFeedback, DraftMessage, Left } from './drafts.ts';
import { LONGEST_ID, LONGEST_MODEL, MOST_MESSAGE_BYTES } from './limits.ts';

export interface TreeMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parent: string | null;
  readonly text: string;
  readonly at: number;
  /** The time in the source, which is the same in each import. */
  readonly saidAt: number;
  readonly model: string | null;
  readonly feedback?: DraftFeedback;
}

export interface Tree {
  /** Each one behind its parent. */
  readonly messages: readonly TreeMessage[];
  /** The message that is shown last; null without messages. */
  readonly current: string | null;
}

interface Above {
  readonly id: string | null;
  readonly at: number;
  readonly saidAt: number;
}

/**
 * The messages of a draft that are kept, each one behind its parent. The children of one that is left out get its parent. Those in a cycle of
 * parents are left out. Never recursive, because a source may be as deep as it is long.
 */
export function treeOf({ messages, startedAt, current, left }: Draft, now: number): Tree {
  const { byId, children, roots } = linked(messages, left);
  const kept: TreeMessage[] = [];
  /** For each visited message, the kept one that stands for it: itself, or the nearest one above. */
  const standIns = new Map<string, Above>();
  const start = Math.min(startedAt ?? now, now);
  const waiting = [...roots].reverse();
  while (waiting.length > 0) {
    const draft = waiting.pop()!;
    const above = (draft.parent === null ? undefined : standIns.get(draft.parent)) ?? { id: null, at: start, saidAt: startedAt ?? 0 };
    // A time to come would keep a conversation from retention rules.
    const at = Math.min(draft.at ?? above.at, now);
    const saidAt = draft.at ?? above.saidAt;
    const message = keptOf(draft, { id: above.id, at, saidAt }, left);
    if (message) kept.push(message);
    standIns.set(draft.id, message ?? above);
    const behind = children.get(draft.id) ?? [];
    for (let place = behind.length - 1; place >= 0; place--) waiting.push(behind[place]!);
  }
  for (let cut = standIns.size; cut < byId.size; cut++) left.add('parent_cycle');
  const shown = current === null ? null : (standIns.get(current)?.id ?? null);
  return { messages: kept, current: shown ?? kept.reduce<TreeMessage | null>(later, null)?.id ?? null };
}

const later = (a: TreeMessage | null, b: TreeMessage): TreeMessage => (a !== null && a.at > b.at ? a : b);

function linked(messages: readonly DraftMessage[], left: Left) {
  const byId = new Map<string, DraftMessage>();
  for (const message of messages) {
    // Halves of surrogate pairs are the same character in a hash, so two such IDs would become one.
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

/** `place` has the ID of the parent, and the times of the message. */
function keptOf({ id, role, text, model, feedback }: DraftMessage, place: Above, left: Left): TreeMessage | null {
  if (role === null || text.trim() === '') return null;
  if (Buffer.byteLength(text) > MOST_MESSAGE_BYTES) {
    left.add('text_too_long');
    return null;
  }
  const name = model === null || model === '' ? null : model.slice(0, LONGEST_MODEL);
  const { id: parent, at, saidAt } = place;
  return { id, role, parent, text: wellFormed(text), at, saidAt, model: name && wellFormed(name), ...(feedback && { feedback }) };
}

/** Characters that no text here may have become the replacement character. */
export const wellFormed = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
