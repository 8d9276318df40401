// Node runs this source without compiling it in tests; see limits.ts.

export type Source = 'parlance' | 'chatgpt' | 'claude';

/** Why a message, or a part of one, is left out. */
export type MessageReason =
  | 'system_message'
  | 'tool_message'
  | 'reasoning'
  | 'image'
  | 'attachment'
  | 'unknown_content'
  | 'unknown_role'
  | 'text_too_long'
  | 'parent_missing'
  | 'parent_cycle'
  | 'duplicate_message'
  | 'invalid_message'
  | 'bot_not_linked';

/** Why a conversation is left out. */
export type ConversationReason = 'invalid_conversation' | 'duplicate_conversation' | 'no_messages' | 'too_many_messages';

export interface DraftFeedback {
  readonly thumbs_up: boolean;
  readonly category: string | null;
  readonly comment: string | null;
}

/** A message in its source. A message without a role or a text is left out, and its children get its parent. */
export interface DraftMessage {
  readonly id: string;
  readonly parent: string | null;
  readonly role: 'user' | 'assistant' | null;
  readonly text: string;
  /** Null without a readable time. */
  readonly at: number | null;
  readonly model: string | null;
  readonly feedback?: DraftFeedback;
}

export interface Draft {
  readonly sourceId: string;
  readonly title: string;
  readonly startedAt: number | null;
  readonly current: string | null;
  readonly messages: readonly DraftMessage[];
  readonly left: Left;
}

/** Counts what was left out of a conversation, by reason. */
export class Left {
  readonly counts = new Map<MessageReason, number>();

  add(reason: MessageReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }
}

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);
/** Reads own members only: `constructor` is not a member of `{}`. */
export const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The last moment of the year 9999. */
const LATEST = 253_402_300_799_999;

/** The value if it is a valid time in milliseconds. Otherwise null. */
export const millisOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= LATEST ? Math.floor(value) : null;

export const joined = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n');
