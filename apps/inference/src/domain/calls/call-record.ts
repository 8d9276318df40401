import { type Decider, type Decision, Instant, refuse } from '@parlance/decider';
import type { PolicyVerdict, Usage } from '../conversation-events.ts';

/** What is known of a call when it is sent to the provider. */
export interface BegunCall {
  readonly callId: string;
  readonly tokenId: string;
  readonly userId: string;
  /** The path of the endpoint below `/v1/`, such as `chat/completions`. */
  readonly endpoint: string;
  /** The model that is called. If the caller named a route, its dearest model until the call has ended. */
  readonly model: string;
  /** The route that the caller named. Absent for a model. */
  readonly route?: string;
  readonly begunAt: Instant;
  /** The most that the provider may bill. It is charged if the outcome is never known. */
  readonly reserved: { readonly usage: Usage; readonly costNanoDollars: number };
  /** Blocks of budgets in which it is reserved, each as `<budget>/<block>`. */
  readonly budgets?: readonly string[];
  readonly costCentre?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * `refused`: by the provider, with a 4xx. `failed`: by the provider in another way, before its answer began. `broken`: the answer ended too early.
 * `cancelled`: the caller left. `unsettled`: it is
 * not known whether the provider bills it, because the process crashed or the provider was silent. The reserved amount is charged. `blocked`: a
 * policy refused the request, or ended the answer.
 */
export type CallStatus = (typeof CALL_STATUSES)[number];
export const CALL_STATUSES = ['completed', 'refused', 'failed', 'broken', 'cancelled', 'unsettled', 'blocked'] as const;

/** The outcome of a call. */
export interface CallOutcome {
  readonly callId: string;
  readonly status: CallStatus;
  /** The model of a route that was called last, and is charged. */
  readonly model?: string;
  /** How many times models of a route were called so far. */
  readonly tries?: number;
  /** The status of the provider's answer. Null without an answer. */
  readonly httpStatus: number | null;
  readonly usage: Usage;
  readonly costNanoDollars: number;
  /** What the provider bills besides, for which no price is known: `web_search`, or a service tier such as `service_tier_priority`. Absent if there is nothing. */
  readonly unpriced?: readonly string[];
  /** Null if the provider sent nothing. */
  readonly firstByteMillis: number | null;
  readonly millis: number;
  /** Set if the answer came from the cache. */
  readonly isCached?: true;
  /** Policies that have found something in the request or in the answer. Absent if none has. */
  readonly policies?: readonly PolicyVerdict[];
}

export type CallRecordCommand =
  /** Calls that begin, and calls that have ended. An outcome of a call that is not open is ignored, so it may be repeated. */
  | { type: 'Record'; at: Instant; begun: readonly BegunCall[]; ended: readonly CallOutcome[] }
  /** The process still makes the open calls. */
  | { type: 'Renew'; at: Instant }
  /** Settles the open calls of a process that has recorded nothing for this long. Repeat it until it writes nothing. */
  | { type: 'Settle'; at: Instant; silentMillis: number }
  /** Removes a record without open calls from the lists. */
  | { type: 'Expire' };

export type CallRecordEvent =
  | { type: 'CallsBegun'; calls: readonly BegunCall[] }
  | ({ type: 'CallCompleted' } & Omit<BegunCall, 'reserved'> & Omit<CallOutcome, 'model'>)
  | { type: 'CallsContinued'; at: Instant }
  | { type: 'CallRecordClosed' }
  | { type: 'CallRecordExpired' };

export interface CallRecord {
  readonly open: Readonly<Record<string, BegunCall>>;
  readonly isClosed: boolean;
  readonly isExpired: boolean;
  /** The newest time that an event names. */
  readonly at: Instant;
}

/** Calls that are settled in one commit. With the longest tags, they fit. */
const MOST_SETTLED = 200;
const LONG_AGO = Instant.ofSeconds(0);

/**
 * The calls that one process makes with one token in one hour. Each call is charged once: when its outcome is recorded, or when it is settled
 * because the process has crashed. After that, the process cannot record anything here.
 */
export const callRecord: Decider<CallRecordCommand, CallRecordEvent, CallRecord> = {
  initialState: { open: {}, isClosed: false, isExpired: false, at: LONG_AGO },
  snapshots: { every: 200, shape: 'calls-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Record':
        return recorded(command, state);
      case 'Renew':
        return state.isClosed || Object.keys(state.open).length === 0 ? [] : [{ type: 'CallsContinued', at: command.at }];
      case 'Settle': {
        const open = Object.values(state.open);
        const isLost = state.isClosed ? open.length > 0 : command.at >= state.at + command.silentMillis;
        if (!isLost) return [];
        const settled = open.slice(0, MOST_SETTLED).map((call) => completed(call, unsettled(call, command.at)));
        return [...settled, ...(state.isClosed ? [] : [{ type: 'CallRecordClosed' } as const])];
      }
      case 'Expire':
        return state.isExpired || Object.keys(state.open).length > 0 ? [] : [{ type: 'CallRecordExpired' }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CallsBegun':
        return {
          ...state,
          open: { ...state.open, ...Object.fromEntries(event.calls.map((call) => [call.callId, call])) },
          at: event.calls.reduce((at, { begunAt }) => later(at, begunAt), state.at),
        };
      case 'CallCompleted': {
        const { [event.callId]: _, ...open } = state.open;
        return { ...state, open, at: later(state.at, Instant.plus(event.begunAt, event.millis)) };
      }
      case 'CallsContinued':
        return { ...state, at: later(state.at, event.at) };
      case 'CallRecordClosed':
        return { ...state, isClosed: true };
      case 'CallRecordExpired':
        return { ...state, isClosed: true, isExpired: true };
    }
  },
};

function recorded({ begun, ended }: Extract<CallRecordCommand, { type: 'Record' }>, state: CallRecord): Decision<CallRecordEvent> {
  const isNew = ({ callId }: BegunCall) => !Object.hasOwn(state.open, callId);
  const calls = begun.filter(isNew);
  if (state.isClosed && calls.length > 0)
    return refuse('unavailable', 'calls_settled', 'This process was taken for lost. Send the request again.', { retry_after: 1 });
  const open = new Map([...Object.values(state.open), ...calls].map((call) => [call.callId, call]));
  const completions: CallRecordEvent[] = [];
  for (const outcome of ended) {
    const call = open.get(outcome.callId);
    if (call && open.delete(call.callId)) completions.push(completed(call, outcome));
  }
  return [...(calls.length > 0 ? [{ type: 'CallsBegun', calls } as const] : []), ...completions];
}

const completed = ({ reserved: _, ...call }: BegunCall, outcome: CallOutcome): CallRecordEvent => ({
  type: 'CallCompleted',
  ...call,
  ...outcome,
});

const unsettled = ({ callId, begunAt, reserved }: BegunCall, at: Instant): CallOutcome => ({
  callId,
  status: 'unsettled',
  httpStatus: null,
  ...reserved,
  firstByteMillis: null,
  millis: Math.max(0, at - begunAt),
});

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** The stream of a record. `hour`: `2026-11-29T06`, when its calls begin. */
export const callRecordStream = (id: string) => `calls-${id}`;
export const callRecordId = (tokenId: string, hour: string, run: string): string => `${tokenId}.${hour}.${run}`;

/** The parts of an ID from `callRecordId`. */
export function partsOfCallRecordId(id: string): { readonly tokenId: string; readonly hour: string; readonly run: string } {
  const [tokenId = '', hour = '', run = ''] = id.split('.');
  return { tokenId, hour, run };
}
