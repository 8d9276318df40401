import { type Decider, Instant, refuse } from '@parlance/decider';

/** How long an answer is replayed. */
export const KEPT_MILLIS = 24 * 60 * 60 * 1000;

export type RememberedRequestCommand =
  /** `newId`: the ID of the new resource, unless an earlier request with this key already has one. */
  | { type: 'RememberRequest'; bodyHash: string; newId: string; now: Instant }
  /** `newId` identifies the request that was answered. `answer` is sealed. */
  | { type: 'RememberAnswer'; newId: string; status: number; answer: string };

export type RememberedRequestEvent =
  | { type: 'RequestRemembered'; bodyHash: string; newId: string; at: Instant }
  | { type: 'AnswerRemembered'; status: number; answer: string };

interface Request {
  readonly bodyHash: string;
  readonly newId: string;
  readonly at: Instant;
}

export type RememberedRequest =
  | { readonly status: 'absent' }
  | ({ readonly status: 'open' } & Request)
  | ({ readonly status: 'answered'; readonly answer: { readonly status: number; readonly sealed: string } } & Request);

/** A caller's request to one path with one `Idempotency-Key`, and its answer. */
export const rememberedRequest: Decider<RememberedRequestCommand, RememberedRequestEvent, RememberedRequest> = {
  initialState: { status: 'absent' },

  decide(command, state) {
    switch (command.type) {
      case 'RememberRequest': {
        const { bodyHash, newId, now } = command;
        if (state.status === 'absent' || Instant.plus(state.at, KEPT_MILLIS) <= now) {
          return [{ type: 'RequestRemembered', bodyHash, newId, at: now }];
        }
        if (state.bodyHash !== bodyHash) {
          return refuse('conflict', 'idempotency_key_reused', 'This Idempotency-Key was used with another request. Choose a new key.');
        }
        // A repeat of a request that was refused, lost or answered.
        return [];
      }
      case 'RememberAnswer':
        // The first answer wins. After a day the request is forgotten, and its answer is not stored.
        if (state.status !== 'open' || state.newId !== command.newId) return [];
        return [{ type: 'AnswerRemembered', status: command.status, answer: command.answer }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'RequestRemembered':
        return { status: 'open', bodyHash: event.bodyHash, newId: event.newId, at: event.at };
      case 'AnswerRemembered':
        if (state.status === 'absent') return state;
        return { ...state, status: 'answered', answer: { status: event.status, sealed: event.answer } };
    }
  },
};

export const rememberedRequestStream = (hash: string) => `idempotency-${hash}`;
