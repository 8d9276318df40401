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

/** The same size for a conversation of any length. */
export interface Conversation {
  readonly userId: string | null;
  readonly botId: string | null;
  /** The published API that it belongs to; absent for its user's own conversation. */
  readonly apiId?: string;
  /** It is in no list, and is deleted some time after its last message. */
  readonly temporary?: true;
  readonly lastMessageId: string | null;
  /** How many messages and replies there are. */
  readonly messages: number;
  /** Replies that are still owed, at most `MAX_RUNNING_REPLIES`. */
  readonly running: Readonly<Record<string, RunningReply>>;
  /** The highest id removed by an erasure that has begun; '' before its first. */
  readonly removedTo?: string;
  /** Its user deleted it: how many messages and replies it had. */
  readonly deleted?: number;
  /** It came from another product: the name of the run, and how many parts are there. `own`: its user has imported it. */
  readonly imported?: {
    readonly name: string;
    readonly parts: number;
    readonly own?: { readonly fingerprint: string; readonly parts: number };
  };
  /** Replies that were being written when the erasure began. Their workers charge what they have cost. */
  readonly unpaid?: Readonly<Record<string, RunningReply>>;
  /** Nothing can be added any more. */
  readonly erased?: true;
}

export const isClosed = (state: Conversation): boolean => state.erased === true || state.removedTo !== undefined;
