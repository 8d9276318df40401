import type { Instant } from '@parlance/decider';
import type { Parties } from './conversation-events.ts';
import type { ToolState } from './conversation-tools.ts';

export type RunningReply = Parties & {
  readonly model: string;
  readonly claim: string | null;
  readonly leaseUntil: Instant | null;
  readonly isCancelled?: true;
  readonly tools?: ToolState;
};

/** The state of a conversation. Its size does not depend on the conversation's length. */
export interface Conversation {
  readonly userId: string | null;
  readonly botId: string | null;
  /** The published API that it belongs to; absent for its user's own conversation. */
  readonly apiId?: string;
  /** The conversation is in no list, and is deleted some time after its last message. */
  readonly temporary?: true;
  /** Absent if it is in no project. */
  readonly projectId?: string;
  readonly isPinned?: true;
  /** The user has turned the memory off for this conversation. */
  readonly isWithoutMemory?: true;
  readonly lastMessageId: string | null;
  /** The number of messages and replies. */
  readonly messages: number;
  /** Replies that have not ended, at most `MAX_RUNNING_REPLIES`. */
  readonly running: Readonly<Record<string, RunningReply>>;
  /** Set once an erasure has begun: the highest ID it has removed, or ''. */
  readonly removedTo?: string;
  /** Set if the user deleted the conversation: the number of messages and replies it had. */
  readonly deleted?: number;
  /** Set if the conversation came from another product: the name of the run, and how many parts are imported. `own`: the user imported it. */
  readonly imported?: {
    readonly name: string;
    readonly parts: number;
    readonly own?: { readonly fingerprint: string; readonly parts: number };
  };
  /** Replies that were being written when the erasure began. Their workers charge what they have cost. */
  readonly unpaid?: Readonly<Record<string, RunningReply>>;
  /** Set if the conversation is erased, so that nothing can be added. */
  readonly erased?: true;
}

export const isClosed = (state: Conversation): boolean => state.erased === true || state.removedTo !== undefined;
