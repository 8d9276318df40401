import { type Decider, type Decision, type Instant, onHold } from '@parlance/decider';
import { MAX_CHAIN_BYTES, MAX_CHAIN_RESPONSES, MAX_RESPONSE_BYTES } from './response-limits.ts';
import { chainTooLong, previousResponseNotFound, responseNotFound, responseTooLarge } from './response-refusals.ts';

/** The responses that a response continues. */
export interface ResponseChain {
  /** The oldest first. */
  readonly ids: readonly string[];
  /** Bytes of all of them. */
  readonly bytes: number;
}

export const NO_CHAIN: ResponseChain = { ids: [], bytes: 0 };

export type StoredResponseCommand =
  /** `content` is sealed, and had this many bytes. A repetition does nothing. */
  | { type: 'Store'; userId: string; content: string; bytes: number; chain: ResponseChain; now: Instant }
  /** By a program of the owner. */
  | { type: 'Delete'; userId: string; holds: readonly string[] }
  /** By a retention rule. Does nothing if a hold keeps the response. */
  | { type: 'Expire'; ruleId: string; holds: readonly string[] }
  /** The owner is erased. */
  | { type: 'Erase' };

export type StoredResponseEvent =
  | { type: 'ResponseStored'; userId: string; content: string; bytes: number; chain: ResponseChain; at: Instant }
  /** Its content cannot be opened any more. */
  | { type: 'ResponseDeleted'; userId: string; because: 'user' | 'user_erased' }
  | { type: 'ResponseDeleted'; userId: string; because: 'retention'; ruleId: string };

export interface StoredResponse {
  readonly status: 'absent' | 'stored' | 'deleted';
  readonly userId: string | null;
  readonly content: string | null;
  readonly bytes: number;
  readonly chain: ResponseChain;
}

/**
 * A response that is stored for the programs of a user. It never changes: a later response that continues it has a stream of its own, which names
 * it. So any number of responses may continue one, at the same time, and the length of each chain is decided where it is stored.
 */
export const storedResponse: Decider<StoredResponseCommand, StoredResponseEvent, StoredResponse> = {
  initialState: { status: 'absent', userId: null, content: null, bytes: 0, chain: NO_CHAIN },

  decide(command, state) {
    switch (command.type) {
      case 'Store': {
        const { userId, content, bytes, chain, now: at } = command;
        if (state.status !== 'absent') return [];
        if (bytes > MAX_RESPONSE_BYTES) return responseTooLarge();
        return isPossible(chain) ? [{ type: 'ResponseStored', userId, content, bytes, chain, at }] : chainTooLong();
      }
      case 'Delete':
        if (!isOwn(state, command.userId)) return responseNotFound();
        return command.holds.length > 0 ? onHold(command.holds, false) : deleted(state, { because: 'user' });
      case 'Expire':
        return command.holds.length > 0 ? [] : deleted(state, { because: 'retention', ruleId: command.ruleId });
      case 'Erase':
        return deleted(state, { because: 'user_erased' });
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ResponseStored': {
        const { userId, content, bytes, chain } = event;
        return { status: 'stored', userId, content, bytes, chain };
      }
      case 'ResponseDeleted':
        return { ...state, status: 'deleted', content: null };
    }
  },
};

type Reason = { readonly because: 'user' | 'user_erased' } | { readonly because: 'retention'; readonly ruleId: string };

function deleted({ status, userId }: StoredResponse, reason: Reason): Decision<StoredResponseEvent> {
  return status === 'stored' && userId !== null ? [{ type: 'ResponseDeleted', userId, ...reason }] : [];
}

export const isOwn = ({ status, userId: owner }: StoredResponse, userId: string): boolean => status === 'stored' && owner === userId;

const isPossible = ({ ids, bytes }: ResponseChain): boolean => ids.length <= MAX_CHAIN_RESPONSES && bytes <= MAX_CHAIN_BYTES;

/** The chain of a response that continues this one. Throws the refusals `previous_response_not_found` (missing) and `response_chain_too_long` (invalid). */
export function chainAfter(id: string, previous: StoredResponse, userId: string): ResponseChain {
  if (!isOwn(previous, userId)) throw previousResponseNotFound();
  const chain = { ids: [...previous.chain.ids, id], bytes: previous.chain.bytes + previous.bytes };
  if (!isPossible(chain)) throw chainTooLong();
  return chain;
}

export const storedResponseStream = (id: string) => `response-${id}`;
