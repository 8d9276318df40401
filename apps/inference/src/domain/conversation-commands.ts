import type { Instant } from '@parlance/decider';
import type { Holder, UsedApi } from './conversation-holder.ts';
import type { ImportCommand, ImportUseCommand } from './conversation-import.ts';
import type { ToolCommand } from './conversation-tools.ts';
import type { Charge, Claim, MessageFile, Provenance, ReplyParameters, StopReason, Usage, UsedChunks } from './conversation-events.ts';

/** Content is sealed. No rule here reads it. */
export type ConversationCommand =
  | {
      type: 'Submit';
      userId: string;
      botId: string | null;
      messageId: string;
      replyId: string;
      /** The message that this one answers, and whether the conversation's rows have it; null for the newest. */
      parent: { readonly id: string; readonly exists: boolean } | null;
      content: string;
      /** Stored already; absent without any. */
      files?: readonly MessageFile[];
      model: string;
      /** Sealed: the title by rule of a conversation that begins with this message. */
      title?: string;
      /** The user wants the model to reason before it answers. */
      reasoning?: boolean;
      parameters?: ReplyParameters;
      /** Sealed: the texts that a program has sent with the message. */
      terms?: string;
      /** Where the cost of the reply is reserved; absent where no budget applies. */
      budgets?: readonly string[];
      /** Of the process that accepts the message and writes the reply itself; null leaves the reply to any process. */
      claim: Claim | null;
      /** Of a message that a program has sent. */
      api?: UsedApi;
      /** The conversation that begins with this message is temporary. */
      temporary?: true;
    }
  /** Asks for another reply to a message of the user, or for the continuation of a reply. */
  | {
      type: 'RequestReply';
      userId: string;
      botId: string | null;
      replyId: string;
      /** The message of the user that is answered, and whether the rows of the conversation have it. */
      message: { readonly id: string; readonly exists: boolean };
      /** The reply whose text is continued; null for a new text. */
      continues: string | null;
      model: string;
      reasoning?: boolean;
      parameters?: ReplyParameters;
      budgets?: readonly string[];
      claim: Claim | null;
      api?: UsedApi;
      temporary?: true;
    }
  | ({ type: 'ClaimReply'; replyId: string; now: Instant } & Claim)
  /** Extends the lease of a worker that is still writing. */
  | ({ type: 'RenewClaim'; replyId: string } & Claim)
  | ToolCommand
  | ImportCommand
  | ImportUseCommand
  /** The worker ends the reply with what it has produced. */
  | ({ type: 'CancelReply'; replyId: string } & Holder)
  | {
      type: 'CompleteReply';
      replyId: string;
      claim: string;
      content: string;
      usage: Usage;
      costNanoDollars: number;
      /** Null for a reply that does not show its sources, or has none. */
      usedChunks: UsedChunks | null;
      stopReason?: StopReason;
      /** The model that answered in place of the one that was asked. */
      fallback?: string;
      /** Calls that failed before this one and may be charged, and what was called beside the model. */
      failedCalls?: readonly Charge[];
      /** Sealed; what the model reasoned before it answered. */
      reasoning?: string | null;
      /** How the reply was made; nothing of its content. */
      provenance?: Provenance | null;
      /** Sealed: what the model answered, where the guardrail replaced it. */
      blocked?: string | null;
    }
  | {
      type: 'FailReply';
      replyId: string;
      claim: string;
      code: string;
      reason: string;
      /** Calls that failed before the last one and may be charged, and what was called beside the model. */
      failedCalls?: readonly Charge[];
      /** What a broken stream has produced and cost; null if the provider was not reached. */
      partial?: { readonly content: string; readonly model?: string; readonly usage: Usage; readonly costNanoDollars: number } | null;
      /** Sealed: what was written before the last call, which is charged already. */
      written?: string | null;
    }
  /** The worker of a reply whose conversation is erased records what it has cost. Nothing else of it is kept. */
  | { type: 'ChargeErasedReply'; replyId: string; claim: string; charges: readonly Charge[] }
  /** Records what a call beside the reply cost: of a title, for example. A repeat with the same `chargeId` is recognised by its append. */
  | { type: 'RecordCharge'; userId: string; charge: Charge }
  /** The title is sealed. */
  | { type: 'SetTitle'; userId: string; title: string }
  /** A model has proposed a title, which is sealed. The proposal and its charge are recorded in one append. */
  | { type: 'ProposeTitle'; userId: string; title: string; lastMessageId: string; charge: Charge }
  | {
      type: 'GiveFeedback';
      userId: string;
      /** The reply, and whether the rows of the conversation have it completed. */
      reply: { readonly id: string; readonly exists: boolean };
      thumbsUp: boolean;
      category: string | null;
      /** Sealed. */
      comment: string | null;
    }
  /** Its user deletes the conversation. The erasure begins, and nothing is removed yet. `holds`: IDs of the holds on it, which an administrator is told. */
  | ({ type: 'Delete'; holds?: readonly string[]; forAdmin?: boolean } & Holder)
  /** The time of a temporary conversation is over, or with `ruleId` that of any by a retention rule, if this is still its last message or reply. */
  | { type: 'Expire'; lastMessageId: string; ruleId?: string; holds?: readonly string[] }
  /** A retention rule names the files of a message, of which the rows have so many. A repeat is recognised by the name of its append. */
  | { type: 'ExpireFiles'; messageId: string; files: number; ruleId: string; holds: readonly string[] }
  /** They were removed from the object store. */
  | { type: 'EndFiles'; messageId: string }
  /**
   * One step of the erasure, given the lowest ids that are left, at most `MESSAGES_REMOVED_AT_ONCE`, and whether they were read after the
   * erasure had begun. The key of its content, or the key of its user, is destroyed.
   */
  | {
      type: 'Erase';
      userId: string;
      messageIds: readonly string[];
      /** By message: how many files it had. Absent without any. */
      files?: Readonly<Record<string, number>>;
      isBegun: boolean;
    };
