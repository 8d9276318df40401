import type { ReplyEvent, Usage } from '@parlance/client';
import type { UsedChunk } from '@parlance/client/types';
import { type ReplyPart, withCall, withText } from './reply-parts.ts';

/** `waiting`: for a decision of the user. `lost`: the connection broke, and the reply may continue on the server. */
export type Phase = 'writing' | 'waiting' | 'done' | 'failed' | 'lost';

/** A reply as far as it was received. */
export interface LiveReply {
  readonly conversationId: string;
  readonly phase: Phase;
  readonly parts: readonly ReplyPart[];
  readonly citations: readonly UsedChunk[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** For a lost reply: whether the server did not answer. Otherwise it refused. */
  readonly isOutage: boolean;
  readonly stopReason: string | null;
  readonly usage: Usage | null;
  readonly cost: number | null;
  /** The position at which its stream continues. */
  readonly lastEventId: string | null;
}

export const begun = (conversationId: string): LiveReply => ({
  conversationId,
  phase: 'writing',
  parts: [],
  citations: [],
  error: null,
  isOutage: false,
  stopReason: null,
  usage: null,
  cost: null,
  lastEventId: null,
});

export function received(reply: LiveReply, { id, event, data }: ReplyEvent): LiveReply {
  const at = { ...reply, lastEventId: id };
  switch (event) {
    case 'start':
      return { ...begun(data.conversation_id), lastEventId: id };
    case 'restarted':
      return { ...begun(reply.conversationId), lastEventId: id };
    case 'delta':
    case 'reasoning':
      return { ...at, phase: 'writing', parts: withText(reply.parts, event === 'delta' ? 'text' : 'reasoning', data.text) };
    case 'tool': {
      const { call_id: callId, name, input, status, result = null } = data;
      return {
        ...at,
        phase: 'writing',
        parts: withCall(reply.parts, { kind: 'tool', callId, name, input, status, result, expiresAt: null }),
      };
    }
    case 'approval': {
      const { call_id: callId, name, input, expires_at: expiresAt } = data;
      const call = { kind: 'tool', callId, name, input, status: 'awaiting', result: null, expiresAt } as const;
      return { ...at, phase: 'waiting', parts: withCall(reply.parts, call) };
    }
    case 'citation':
      return { ...at, citations: [...reply.citations.filter(({ rank }) => rank !== data.rank), data] };
    case 'done':
      return { ...at, phase: 'done', stopReason: data.stop_reason, usage: data.usage, cost: data.cost };
    case 'error':
      return { ...at, phase: 'failed', error: data };
    default:
      return at;
  }
}

export const isOver = ({ phase }: LiveReply): boolean => phase === 'done' || phase === 'failed';
