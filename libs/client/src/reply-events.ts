import type { PendingCall, UsedChunk } from './generated/api.ts';

export interface Usage {
  /** All input, cached input included. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  /** Counted by Parlance, because the provider did not report it. */
  readonly estimated: boolean;
}

/** The data of each event of a stream, with the API's field names. */
export interface ReplyEventData {
  /** The reply starts. It may come again from servers before 0.4, with the meaning of `restarted`. */
  readonly start: { readonly conversation_id: string; readonly message_id: string };
  /** The process that wrote the reply was lost: drop anything received of it. It follows again from its beginning. */
  readonly restarted: { readonly message_id: string };
  readonly reasoning: { readonly text: string };
  readonly delta: { readonly text: string };
  readonly tool: {
    readonly call_id: string;
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly status: 'running' | 'succeeded' | 'failed' | 'denied';
    readonly result?: string;
  };
  /** The user has to approve or deny this tool call. */
  readonly approval: PendingCall;
  readonly citation: UsedChunk;
  /** The reply is stored. */
  readonly done: {
    readonly message_id: string;
    readonly stop_reason: string;
    readonly usage: Usage;
    /** US dollars. */
    readonly cost: number;
  };
  readonly error: { readonly code: string; readonly message: string };
}

export type ReplyEventName = keyof ReplyEventData;

/** One event of a stream. `event` determines the type of `data`. */
export type ReplyEvent = {
  [Name in ReplyEventName]: { readonly id: string; readonly event: Name; readonly data: ReplyEventData[Name] };
}[ReplyEventName];

/** A reply read from its stream. */
export interface StreamedReply {
  readonly conversationId: string;
  readonly messageId: string;
  readonly text: string;
  readonly reasoning: string;
  readonly citations: readonly UsedChunk[];
  readonly stopReason: string;
  readonly usage: Usage;
  /** US dollars. */
  readonly cost: number;
}
