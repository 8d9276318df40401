import type { Instant } from '@parlance/decider';
import type { UsedApi } from './conversation-holder.ts';
import type { ImportEvent, ImportUseEvent } from './conversation-import.ts';
import type { ToolEvent } from './conversation-tools.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` that the provider keeps for an hour; absent without any. Since release 0.5. */
  readonly cacheWriteHourTokens?: number;
  /** Counted here, because the provider gave no numbers. */
  readonly estimated: boolean;
  /** Reported by the provider and charged as reported, but more than the call seems able to use. Since release 0.5. */
  readonly suspicious?: true;
}

/** One worker's try at a reply. No other worker may take the reply before the lease ends. */
export interface Claim {
  readonly claim: string;
  readonly leaseUntil: Instant;
  /** Where other replicas read what the worker produces; absent where there is one process. Since release 0.5. */
  readonly worker?: string;
}

/** Why a reply has its end. `cancelled`: its user stopped it. `max_tool_rounds`: the model went on calling tools. */
export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'content_filtered' | 'cancelled' | 'max_tool_rounds';

/** What a call to a model cost, and for what it was made. */
export interface Charge {
  readonly chargeId: string;
  readonly purpose: 'chat' | 'title' | 'guardrail' | 'tool' | 'embedding' | 'reranking';
  readonly model: string;
  readonly usage: Usage;
  /** Text units of a guardrail, which uses no tokens, or searches of a reranker. */
  readonly units?: number;
  readonly costNanoDollars: number;
}

/** The chunks that a reply cites: sealed as JSON, and the ids of their documents, the best first. The ids tell nothing of the documents. */
export interface UsedChunks {
  readonly content: string;
  readonly sourceIds: readonly string[];
}

/** The verdict of the guardrail on a reply. Scores from 0 to 1; null where there was nothing to compare. `masked`: parts were replaced. */
export interface GuardrailVerdict {
  readonly by: 'builtin' | 'bedrock';
  readonly verdict: 'passed' | 'blocked' | 'masked';
  readonly grounding: number | null;
  readonly relevance: number | null;
}

/**
 * How a reply was made. It has no content and no names, and stays in the log. What can be found elsewhere, or is as usual, is left out: a
 * short reply of the offline model has its time alone.
 */
export interface Provenance {
  /** Of the configuration of the bot. */
  readonly botVersion?: number;
  /** The chunks that the model was given, by rank: the ID in the index, and the beginning of the SHA-256 of the content. */
  readonly chunks?: readonly { readonly id: string; readonly hash: string }[];
  /** Absent for a model that is called without a provider. */
  readonly provider?: string;
  readonly providerModel?: string;
  /** The provider's ID of the call. */
  readonly requestId?: string;
  /** The start of validity of the price that was used; absent for a model without a price. */
  readonly priceFrom?: Instant;
  /** Those that were given to the model. */
  readonly parameters?: Readonly<Record<string, number | readonly string[]>>;
  /** Absent if the bot has no guardrail. */
  readonly guardrail?: GuardrailVerdict;
  readonly millis: { readonly total: number; readonly toPrompt?: number; readonly toFirstToken?: number; readonly guardrail?: number };
  /** Calls to providers that were made for the reply by this worker, the successful one included; absent for one. */
  readonly tries?: number;
}

/** What a program asks of the model for one reply, in place of what the bot says. Since release 0.5. */
export interface ReplyParameters {
  /** At most what the bot allows. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
}

/** The user and the bot of a message and its reply. Each event has both, so that it can be read alone. */
export interface Parties {
  readonly userId: string;
  readonly botId: string | null;
  /**
   * The blocks of budgets in which the cost of the reply is reserved, each as `<budget>/<block>`; absent where no budget applies. On the
   * events of the message and of the end of its reply. Since release 0.5.
   */
  readonly budgets?: readonly string[];
  /** Of a conversation of a published API. Absent for the user's own conversations. Since release 0.5. */
  readonly api?: UsedApi;
}

/** An image or a document of a message. The file is in the object store, sealed with a key of its own. */
export interface MessageFile {
  /** The ID of the message and the number of the file. */
  readonly id: string;
  readonly kind: 'image' | 'attachment';
  /** By its content. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Bytes of the text that was read from it, which is in the object store too; absent without one. */
  readonly textBytes?: number;
  /** Tokens of that text; absent in events of release 0.4 and before. */
  readonly textTokens?: number;
  /** Of a PDF; absent in events of release 0.4 and before, and where they could not be counted. */
  readonly pages?: number;
  /** Sealed as JSON: the name, the hash, and the key of the file. */
  readonly sealed: string;
}

export type ConversationEvent =
  /** The title by rule, sealed. `temporary` here and below: it is in no list, and is deleted some time after its last message. Since release 0.5. */
  | ({ type: 'ConversationStarted'; title?: string; temporary?: true } & Parties)
  | ({
      type: 'MessageSubmitted';
      messageId: string;
      replyId: string;
      parentId: string | null;
      content: string;
      /** Since release 0.5. */
      files?: readonly MessageFile[];
      model: string;
      reasoning?: true;
      parameters?: ReplyParameters;
      /** Sealed as JSON: the texts that a program has sent with it. */
      terms?: string;
      temporary?: true;
    } & Parties)
  /** Another reply to a message that has one, or the continuation of a reply. Since release 0.5. */
  | ({
      type: 'ReplyRequested';
      messageId: string;
      replyId: string;
      continues?: string;
      model: string;
      reasoning?: true;
      parameters?: ReplyParameters;
      temporary?: true;
    } & Parties)
  /** Repeated with the same claim when the worker extends its lease. */
  | ({ type: 'ReplyClaimed'; replyId: string } & Claim)
  /** Its user stopped it. It ends with what its worker has produced. */
  | { type: 'ReplyCancelled'; replyId: string; /** It awaited an approval. Since release 0.5. */ resumes?: true }
  | ToolEvent
  | ImportEvent
  | ImportUseEvent
  | ({
      type: 'ReplyCompleted';
      replyId: string;
      content: string;
      model: string;
      usage: Usage;
      costNanoDollars: number;
      /** Since release 0.4, of a reply that shows its sources. */
      usedChunks?: UsedChunks;
      /** These three since release 0.5. Without a reason the reply has ended by itself. */
      stopReason?: StopReason;
      reasoning?: string;
      provenance?: Provenance;
      /** Since release 0.5, sealed: what the model answered, where the guardrail replaced it. */
      blocked?: string;
      /** Since release 0.5: the claim of the worker that wrote it, by which a reader knows that the text is the one that was streamed. */
      claim?: string;
    } & Parties)
  | ({
      type: 'ReplyFailed';
      replyId: string;
      model: string;
      code: string;
      reason: string;
      /** These two since release 0.5, of a stream that broke. It is charged by a `TokensCharged` of its own. */
      content?: string;
      claim?: string;
    } & Parties)
  /**
   * `afterErasure`: the conversation was being erased, so no row of it is changed. `nextBudgets`: the reservation of this call ends, and the
   * next call of the same reply is reserved in these blocks.
   */
  | ({ type: 'TokensCharged'; afterErasure?: true; nextBudgets?: readonly string[] } & Charge & Parties)
  /** The title is sealed. By a model it is a proposal, made when `lastMessageId` was the newest message. Since release 0.5. */
  | { type: 'ConversationTitled'; title: string; by: 'user' }
  | { type: 'ConversationTitled'; title: string; by: 'model'; lastMessageId: string }
  /** A later rating of the same reply replaces this one. The comment is sealed. Since release 0.5. */
  | ({ type: 'FeedbackGiven'; replyId: string; thumbsUp: boolean; category: string | null; comment: string | null } & Parties)
  /** A retention rule removes the files of a message. They are shown as removed from here on. Since release 0.5. */
  | { type: 'MessageFilesExpired'; userId: string; botId: string | null; apiId?: string; messageId: string; files: number; ruleId: string }
  /** They are in the object store no more. Since release 0.5. */
  | { type: 'MessageFilesRemoved'; messageId: string }
  /** From here on nothing is added but charges of what was being written. `deleted` in this and the next two: its user deleted it. `expired`: it was temporary, and its time is over. `because`: a retention rule named it, which has the ID `ruleId`. Since release 0.5, as the bot and the number of messages and replies. */
  | {
      type: 'ConversationErasureBegun';
      userId: string;
      deleted?: true;
      expired?: true;
      because?: 'retention';
      ruleId?: string;
      botId?: string | null;
      messages?: number;
      apiId?: string;
    }
  | {
      type: 'MessagesRemoved';
      userId: string;
      messageIds: readonly string[];
      /** How many files they had; absent without any. Since release 0.5. */
      files?: number;
      deleted?: true;
    }
  /** Nothing of it is left. Until release 0.2 this was the only event of an erasure, and named all messages and replies. */
  | { type: 'ConversationErased'; userId: string; messageIds?: readonly string[]; deleted?: true };
