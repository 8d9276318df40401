import type { Instant } from '@parlance/decider';
import type { UsedApi } from './conversation-owner.ts';
import type { ImportEvent, ImportUseEvent } from './conversation-import.ts';
import type { ToolEvent } from './conversation-tools.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` that the provider keeps for an hour. Absent if there is none. */
  readonly cacheWriteHourTokens?: number;
  /** Searches of the web by the provider, which it bills one by one. Absent if it reports none. */
  readonly webSearches?: number;
  /** Whether the tokens were counted here, because the provider reported none. */
  readonly estimated: boolean;
  /** The provider reported more than the call seems able to use. It is charged as reported. */
  readonly suspicious?: true;
}

/** One worker's attempt at a reply. No other worker may take the reply before the lease ends. */
export interface Claim {
  readonly claim: string;
  readonly leaseUntil: Instant;
  /** Where other replicas read what the worker produces. Absent in single-process mode. */
  readonly worker?: string;
}

/** Why a reply ended. `cancelled`: its user stopped it. `max_tool_rounds`: the model kept calling tools. */
export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'content_filtered' | 'cancelled' | 'max_tool_rounds';

/** The purpose and the cost of a call to a model. */
export interface Charge {
  readonly chargeId: string;
  readonly purpose: 'chat' | 'title' | 'guardrail' | 'tool' | 'embedding' | 'reranking';
  readonly model: string;
  readonly usage: Usage;
  /** Text units of a guardrail, which uses no tokens, or searches of a reranker. */
  readonly units?: number;
  readonly costNanoDollars: number;
}

/** The chunks that a reply cites, sealed as JSON, and the IDs of their documents, the best first. The IDs reveal nothing about the documents. */
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

/** What a policy of the configuration has found in a message or its answer: the number of values by kind, without content. */
export interface PolicyVerdict {
  readonly id: string;
  readonly stage: 'input' | 'output';
  readonly action: 'flag' | 'mask' | 'block';
  readonly found: Readonly<Record<string, number>>;
}

/**
 * How a reply was produced. It has no content and no names, and stays in the log. Facts that are recorded elsewhere and usual values are left
 * out: a short reply of the offline model has only its time.
 */
export interface Provenance {
  /** The version of the bot's configuration. */
  readonly botVersion?: number;
  /** The chunks in the prompt, by rank: the ID in the index, and the beginning of the SHA-256 of the content. */
  readonly chunks?: readonly { readonly id: string; readonly hash: string }[];
  /** The IDs of the entries of the user's memory in the prompt, the newest first. Absent if there were none. */
  readonly memories?: readonly string[];
  /** Absent for a model that is called without a provider. */
  readonly provider?: string;
  readonly providerModel?: string;
  /** The provider's ID of the call. */
  readonly requestId?: string;
  /** When the price that was used became valid. Absent for a model without a price. */
  readonly priceFrom?: Instant;
  /** The parameters of the model call. */
  readonly parameters?: Readonly<Record<string, number | readonly string[]>>;
  /** Absent if the bot has no guardrail. */
  readonly guardrail?: GuardrailVerdict;
  /** Policies that have found something. Absent if none has. */
  readonly policies?: readonly PolicyVerdict[];
  readonly millis: { readonly total: number; readonly toPrompt?: number; readonly toFirstToken?: number; readonly guardrail?: number };
  /** How many calls to providers this worker made for the reply, the successful one included. Absent if one. */
  readonly tries?: number;
}

/** A program's settings for one reply, which replace the bot's. */
export interface ReplyParameters {
  /** At most the bot's limit. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
}

/** The user and the bot of a message and its reply. Each event has both, so that it can be read alone. */
export interface Parties {
  readonly userId: string;
  readonly botId: string | null;
  /**
   * The blocks of budgets in which the cost of the reply is reserved, each as `<budget>/<block>`. Set in the events of the message and of the
   * end of its reply. Absent if no budget applies.
   */
  readonly budgets?: readonly string[];
  /** The published API that the conversation belongs to. Absent for the user's own conversations. */
  readonly api?: UsedApi;
}

/** An image or a document of a message. The file is in the object store, sealed with a key of its own. */
export interface MessageFile {
  /** The ID of the message and the number of the file, of a reply also the ID of the call of a tool that has made it. */
  readonly id: string;
  readonly kind: 'image' | 'attachment';
  /** Detected from the content. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Bytes of the text that was extracted from it, which is in the object store too. Absent if there is none. */
  readonly textBytes?: number;
  /** Tokens of that text. Absent in older events. */
  readonly textTokens?: number;
  /** Pages of a PDF. Absent in older events, and if they could not be counted. */
  readonly pages?: number;
  /** Sealed as JSON: the name, the hash, and the key of the file. */
  readonly sealed: string;
}

export type ConversationEvent =
  /** `title`: derived from the first message, sealed. `temporary`, here and below: the conversation is in no list, and is deleted some time after its last message. */
  | ({ type: 'ConversationStarted'; title?: string; temporary?: true; projectId?: string } & Parties)
  | ({
      type: 'MessageSubmitted';
      messageId: string;
      replyId: string;
      parentId: string | null;
      content: string;
      files?: readonly MessageFile[];
      model: string;
      reasoning?: true;
      parameters?: ReplyParameters;
      /** Texts that a program sent with the message, sealed as JSON. */
      terms?: string;
      temporary?: true;
    } & Parties)
  /** Another reply to an answered message, or the continuation of a reply. */
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
  /** The user stopped the reply. It ends with the text that its worker has produced. */
  | { type: 'ReplyCancelled'; replyId: string; /** The reply was waiting for an approval. */ resumes?: true }
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
      /** Absent if the reply shows no sources. */
      usedChunks?: UsedChunks;
      /** Absent if the model ended the reply by itself. */
      stopReason?: StopReason;
      reasoning?: string;
      provenance?: Provenance;
      /** The model's answer, sealed, if the guardrail or a policy changed it. */
      blocked?: string;
      /** The claim of the worker that wrote it. A reader compares it to know that the stored text is the streamed one. Absent in older events. */
      claim?: string;
    } & Parties)
  | ({
      type: 'ReplyFailed';
      replyId: string;
      model: string;
      code: string;
      reason: string;
      /** The text of a stream that broke, with the claim of its worker. It is charged by a `TokensCharged` of its own. */
      content?: string;
      claim?: string;
    } & Parties)
  /**
   * `afterErasure`: the conversation was being erased, so none of its rows change. `nextBudgets`: the reservation of this call ends, and the
   * next call of the same reply is reserved in these blocks.
   */
  | ({ type: 'TokensCharged'; afterErasure?: true; nextBudgets?: readonly string[] } & Charge & Parties)
  /** The title is sealed. A model's title is a proposal, made when `lastMessageId` was the newest message. */
  | { type: 'ConversationTitled'; title: string; by: 'user' }
  | { type: 'ConversationTitled'; title: string; by: 'model'; lastMessageId: string }
  /** Null: out of its project. */
  | { type: 'ConversationMoved'; userId: string; projectId: string | null }
  | { type: 'ConversationPinned'; userId: string }
  | { type: 'ConversationUnpinned'; userId: string }
  /** From now on its prompts have nothing from the user's memory, and its models add nothing to it. */
  | { type: 'ConversationMemoryTurnedOff'; userId: string }
  | { type: 'ConversationMemoryTurnedOn'; userId: string }
  /** A later rating of the same reply replaces this one. The comment is sealed. */
  | ({ type: 'FeedbackGiven'; replyId: string; thumbsUp: boolean; category: string | null; comment: string | null } & Parties)
  /** A retention rule removes the files of a message. From now on they are shown as removed. */
  | { type: 'MessageFilesExpired'; userId: string; botId: string | null; apiId?: string; messageId: string; files: number; ruleId: string }
  /** The files are no longer in the object store. */
  | { type: 'MessageFilesRemoved'; messageId: string }
  /**
   * From now on only charges for replies that were being written are added. `deleted`, in this event and the next two: the user deleted it. `expired`: it
   * was temporary and has expired. `because`: the retention rule `ruleId` applies. Fields other than `userId` are absent in older events.
   */
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
      /** How many files the messages had. Absent if none. */
      files?: number;
      deleted?: true;
    }
  /** The conversation is erased completely. In older logs this is the only event of an erasure, and lists all messages and replies. */
  | { type: 'ConversationErased'; userId: string; messageIds?: readonly string[]; deleted?: true };
