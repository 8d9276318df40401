import { type Decider, Instant, refuse } from '@parlance/decider';

/** How long an answer is given again. */
export const KEPT_MILLIS = 24 * 60 * 60 * 1000;

export type RememberedRequestCommand =
  /** `newId` is for what the request makes, unless an earlier one under this key has got one already. */
  | { type: 'RememberRequest'; bodyHash: string; newId: string; now: Instant }
  /** `newId` says which request was answered; `answer` is sealed. */
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

/** What was asked under one `Idempotency-Key` by one caller at one path, and what the answer was when it was done. */
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
        // Asked again, whether it was refused, lost on its way, or answered.
        return [];
      }
      case 'RememberAnswer':
        // The first answer is the one that counts; one that comes after a day is to a request that is forgotten.
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
