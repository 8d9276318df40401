import type { Instant } from '@parlance/decider';
import type { ConversationOwner, UsedApi } from './conversation-owner.ts';
import type { ImportCommand, ImportUseCommand } from './conversation-import.ts';
import type { ToolCommand } from './conversation-tools.ts';
import type { Charge, Claim, MessageFile, Provenance, ReplyParameters, StopReason, Usage, UsedChunks } from './conversation-events.ts';

/** Content is sealed. The domain never reads it. */
export type ConversationCommand =
  | {
      type: 'Submit';
      userId: string;
      botId: string | null;
      messageId: string;
      replyId: string;
      /** The message that this one answers, and whether the read model has it; null for the newest. */
      parent: { readonly id: string; readonly exists: boolean } | null;
      content: string;
      /** Already in the object store. Absent if there are none. */
      files?: readonly MessageFile[];
      model: string;
      /** The title of a conversation that begins with this message, derived from its text. Sealed. */
      title?: string;
      /** The user wants the model to reason before it answers. */
      reasoning?: boolean;
      parameters?: ReplyParameters;
      /** The texts that a program has sent with the message. Sealed. */
      terms?: string;
      /** The blocks of budgets in which the cost of the reply is reserved. Absent if no budget applies. */
      budgets?: readonly string[];
      /** The claim of the accepting process, if it writes the reply itself. Null leaves the reply to any process. */
      claim: Claim | null;
      /** Set if a program has sent the message. */
      api?: UsedApi;
      /** The conversation that begins with this message is temporary. */
      temporary?: true;
      /** The project of the conversation that begins with this message. */
      projectId?: string;
      /** Turns the memory on or off for the conversation. Absent if it stays as it is. */
      memory?: boolean;
    }
  /** Requests another reply to a message of the user, or the continuation of a reply. */
  | {
      type: 'RequestReply';
      userId: string;
      botId: string | null;
      replyId: string;
      /** The user's message that is answered, and whether the read model has it. */
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
      memory?: boolean;
    }
  | ({ type: 'ClaimReply'; replyId: string; now: Instant } & Claim)
  /** Extends the lease of a worker that is still writing. */
  | ({ type: 'RenewClaim'; replyId: string } & Claim)
  | ToolCommand
  | ImportCommand
  | ImportUseCommand
  /** The user stops the reply. Its worker ends it with the text so far. */
  | ({ type: 'CancelReply'; replyId: string } & ConversationOwner)
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
      /** The model that answered instead of the requested one. */
      fallback?: string;
      /** Charges of calls that failed before this one, and of other services that were called. */
      failedCalls?: readonly Charge[];
      /** The reasoning of the model before its answer. Sealed. */
      reasoning?: string | null;
      /** How the reply was produced, without its content. */
      provenance?: Provenance | null;
      /** The model's answer, if the guardrail replaced it. Sealed. */
      blocked?: string | null;
    }
  | {
      type: 'FailReply';
      replyId: string;
      claim: string;
      code: string;
      reason: string;
      /** Charges of calls that failed before the last one, and of other services that were called. */
      failedCalls?: readonly Charge[];
      /** The text and the cost of a broken stream. Null if the provider was not reached. */
      partial?: { readonly content: string; readonly model?: string; readonly usage: Usage; readonly costNanoDollars: number } | null;
      /** The text from before the last call, which is already charged. Sealed. */
      written?: string | null;
    }
  /** The worker records the cost of a reply whose conversation is erased. Nothing else of the reply is kept. */
  | { type: 'ChargeErasedReply'; replyId: string; claim: string; charges: readonly Charge[] }
  /** Records the cost of a call outside replies, for example for a title. The idempotency key of the append detects a repeated `chargeId`. */
  | { type: 'RecordCharge'; userId: string; charge: Charge }
  /** The title is sealed. */
  | { type: 'SetTitle'; userId: string; title: string }
  /** Moves the conversation into a project that its user belongs to; null moves it out of its project. */
  | { type: 'Move'; userId: string; projectId: string | null }
  | { type: 'SetPinned'; userId: string; isPinned: boolean }
  /** Turns the memory of the user on or off for this conversation. */
  | { type: 'SetMemory'; userId: string; isOn: boolean }
  /** A model has proposed a title, which is sealed. The proposal and its charge are recorded in one append. */
  | { type: 'ProposeTitle'; userId: string; title: string; lastMessageId: string; charge: Charge }
  | {
      type: 'GiveFeedback';
      userId: string;
      /** The reply, and whether the read model has it as completed. */
      reply: { readonly id: string; readonly exists: boolean };
      thumbsUp: boolean;
      category: string | null;
      /** Sealed. */
      comment: string | null;
    }
  /** The owner deletes the conversation. The erasure begins; nothing is removed yet. `holds`: IDs of the holds on it, which only an administrator sees. */
  | ({ type: 'Delete'; holds?: readonly string[]; forAdmin?: boolean } & ConversationOwner)
  /** A temporary conversation has expired, or a retention rule (`ruleId`) applies to a conversation, if `lastMessageId` is still its last message or reply. */
  | { type: 'Expire'; lastMessageId: string; ruleId?: string; holds?: readonly string[] }
  /** A retention rule removes the files of a message. `files`: how many the read model has. The append's idempotency key detects a repeat. */
  | { type: 'ExpireFiles'; messageId: string; files: number; ruleId: string; holds: readonly string[] }
  /** The files were removed from the object store. */
  | { type: 'EndFiles'; messageId: string }
  /**
   * One step of the erasure. `messageIds`: the lowest IDs that are left, at most `MESSAGES_REMOVED_AT_ONCE`. `isBegun`: they were read after
   * the erasure had begun. The key of the content, or of the user, is already destroyed.
   */
  | {
      type: 'Erase';
      userId: string;
      messageIds: readonly string[];
      /** The number of files by message. Absent if there are none. */
      files?: Readonly<Record<string, number>>;
      isBegun: boolean;
    };
