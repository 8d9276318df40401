import type { Message } from '@parlance/client/types';

export type Messages = Readonly<Record<string, Message>>;

/** A message of the shown branch, with its alternatives. */
export interface Turn {
  readonly message: Message;
  /** IDs of the messages with the same parent, oldest first, this one included. */
  readonly siblings: readonly string[];
}

/** The messages of a branch, from the oldest known one to the last. Unchanged messages of `before` stay the same objects. */
export function branchTo(messages: Messages, lastId: string, before: readonly Turn[] = []): Turn[] {
  const known = new Map(before.map((turn) => [turn.message, turn]));
  const turns: Turn[] = [];
  const seen = new Set<string>();
  for (let message = messages[lastId]; message && !seen.has(message.message_id); message = parentOf(messages, message)) {
    seen.add(message.message_id);
    const turn = { message, siblings: siblingsOf(messages, message) };
    const same = known.get(message);
    turns.push(same && isSame(same.siblings, turn.siblings) ? same : turn);
  }
  return turns.reverse();
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

const parentOf = (messages: Messages, { parent }: Message): Message | undefined => (parent === null ? undefined : messages[parent]);

function siblingsOf(messages: Messages, message: Message): readonly string[] {
  const children = parentOf(messages, message)?.children ?? [];
  return children.includes(message.message_id) ? children : [...children, message.message_id];
}

/** The last message below a message, following the newest answers. */
export function newestBelow(messages: Messages, id: string): string {
  const seen = new Set<string>();
  let at = id;
  while (!seen.has(at)) {
    seen.add(at);
    const next = messages[at]?.children.findLast((child) => messages[child] !== undefined);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** IDs of messages that are shown before the server has assigned IDs. */
const UNSENT = 'unsent-';
export const unsentId = (replyId: string): string => `${UNSENT}${replyId}`;
export const isUnsent = (id: string): boolean => id.startsWith(UNSENT);

/** Merges the known messages with those of a newer response. A provisional message is dropped when the real one has arrived. */
export function merged(known: Messages, newer: Messages): Messages {
  const kept = Object.entries(known).filter(([id]) => !isUnsent(id) || newer[id.slice(UNSENT.length)] === undefined);
  return { ...Object.fromEntries(kept), ...newer };
}
