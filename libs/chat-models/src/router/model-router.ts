import { setTimeout as wait } from 'node:timers/promises';
import type { ChatModel, Produced, Prompt } from '../chat-model.ts';
import { type CallCharge, GenerationFailed } from '../providers/generation-failed.ts';
import { LinkedAbort } from '../linked-abort.ts';
import type { ProviderGate } from './provider-gate.ts';

/** The maximum number of calls of one model for a reply, including the first one. */
export const TRIES_OF_A_MODEL = 3;
/** The wait before the second call. It doubles with each further call. */
const FIRST_WAIT_MILLIS = 250;
/** The longest wait before another call of the last model in the chain, even if the provider requests a longer one. */
export const LONGEST_WAIT_MILLIS = 10_000;
/** The same limit if another model can be called instead. */
const LONGEST_WAIT_BEFORE_FALLBACK_MILLIS = 1_000;
/** The longest time for a complete answer. */
const LONGEST_ANSWER_MILLIS = 15 * 60_000;

export interface RoutedModel {
  readonly id: string;
  readonly provider: ProviderGate;
  /** True for a model that runs in this process. It is called without turns, time limits and breaker. */
  readonly isLocal?: boolean;
  /** The provider's name of the model. */
  readonly providerModel: string;
  readonly chat: ChatModel;
  /** IDs of models to call if this one fails, in order. */
  readonly fallbacks: readonly string[];
}

/** Names the model that answers. The first part of an answer. */
export interface Begin {
  readonly type: 'begin';
  /** ID in the catalogue of the requested model or of a fallback. */
  readonly model: string;
  readonly provider: string;
  readonly providerModel: string;
  /** Number of calls so far, including this one. */
  readonly tries: number;
  /** What the failed calls may cost. */
  readonly charges: readonly CallCharge[];
}

export type Routed = Begin | Produced;

export interface Asker {
  readonly userId: string;
  /** Ends the call to the provider and every wait. */
  readonly signal: AbortSignal;
  /** Whether this fallback may answer. Set for a bot that allows only some models. */
  readonly allows?: (modelId: string) => boolean;
  /** Called before each call of a model. From then on the call may be charged. */
  readonly onCall?: () => void;
}

interface Attempts {
  count: number;
  readonly charges: CallCharge[];
  hasBegun: boolean;
}

/**
 * Calls models of the catalogue with fair turns and time limits. If a call fails before its first token, it calls the model again or another
 * model.
 */
export class ModelRouter {
  constructor(
    private readonly models: Pick<ReadonlyMap<string, RoutedModel>, 'get'>,
    private readonly pause: (millis: number, signal: AbortSignal) => Promise<unknown> = (millis, signal) =>
      wait(millis, undefined, { signal }),
  ) {}

  /**
   * Produces `begin` with the first token, then the answer. Throws `GenerationFailed` if all models fail or the answer ends too early, the
   * signal's reason, or Error for a model that is not in the catalogue.
   */
  async *generate(modelId: string, prompt: Prompt, asker: Asker): AsyncGenerator<Routed> {
    const tries: Attempts = { count: 0, charges: [], hasBegun: false };
    const chain = this.chain(modelId, asker);
    for (const [index, model] of chain.entries()) {
      const isLast = index === chain.length - 1;
      for (let attempt = 1; ; attempt++) {
        try {
          yield* inTurn(model, prompt, asker, tries);
          return;
        } catch (error) {
          asker.signal.throwIfAborted();
          if (!(error instanceof GenerationFailed)) throw error;
          if (error.usage) tries.charges.push({ model: model.id, usage: error.usage });
          const pause = tries.hasBegun ? null : pauseAfter(error, attempt, isLast);
          // After the first token a retry would repeat the output. An invalid request is invalid for every model.
          if (tries.hasBegun || (pause === null && (isLast || error.code === 'request_refused'))) throw error.withCharges(tries.charges);
          if (pause === null) break;
          await this.pause(pause, asker.signal).catch(() => asker.signal.throwIfAborted());
        }
      }
    }
  }

  /** The model and its fallbacks, each once. */
  private chain(modelId: string, { allows = () => true }: Asker): readonly RoutedModel[] {
    const first = this.models.get(modelId);
    if (!first) throw new Error(`there is no model ${modelId}`);
    const fallbacks = first.fallbacks.filter((id) => id !== modelId && allows(id)).map((id) => this.models.get(id));
    return [first, ...new Set(fallbacks.filter((model) => model !== undefined))];
  }
}

async function* inTurn(model: RoutedModel, prompt: Prompt, { userId, signal, onCall }: Asker, tries: Attempts): AsyncGenerator<Routed> {
  const { provider } = model;
  if (model.isLocal) {
    tries.hasBegun = true;
    tries.count++;
    onCall?.();
    yield beginOf(model, tries);
    return yield* model.chat.generate(prompt, signal);
  }
  provider.requireOpen();
  const endTurn = await provider.turns.take(userId, signal);
  const time = new TimeLimit(signal);
  try {
    const parts = model.chat.generate(prompt, time.signal)[Symbol.asyncIterator]();
    try {
      const begin = () => {
        tries.count++;
        onCall?.();
        time.start(provider.limits.firstTokenMillis);
        return parts.next();
      };
      let next = await provider.begin(begin);
      tries.hasBegun = true;
      time.start(provider.limits.nextTokenMillis);
      yield beginOf(model, tries);
      for (; !next.done; next = await parts.next()) {
        // Time that the reader of the answer takes does not count against the provider.
        time.pause();
        yield next.value;
        time.next();
      }
    } finally {
      await parts.return?.(undefined);
    }
  } catch (error) {
    if (tries.hasBegun) provider.brokeOff(error);
    throw error;
  } finally {
    time.stop();
    endTurn();
  }
}

const beginOf = ({ id, provider, providerModel }: RoutedModel, { count, charges }: Attempts): Begin => ({
  type: 'begin',
  model: id,
  provider: provider.name,
  providerModel,
  tries: count,
  charges: [...charges],
});

/**
 * The time limits of one call. They end the call by its signal, as the caller's signal does. One deadline is moved, because a timer per token
 * would take more CPU.
 */
class TimeLimit {
  private readonly linked: LinkedAbort;
  private timer: NodeJS.Timeout | undefined;
  private millis = 0;
  private deadline = Infinity;
  private readonly endsAt = performance.now() + LONGEST_ANSWER_MILLIS;

  constructor(asker: AbortSignal) {
    this.linked = new LinkedAbort(asker);
  }

  get signal(): AbortSignal {
    return this.linked.signal;
  }

  start(millis: number): void {
    this.millis = millis;
    this.next();
    clearTimeout(this.timer);
    this.wait(millis);
  }

  /** Waits for the next token. */
  next(): void {
    const now = performance.now();
    this.deadline = now + this.millis;
    if (now > this.endsAt) this.end();
  }

  /** The reader of the answer is busy. */
  pause(): void {
    this.deadline = Infinity;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.linked.unlink();
  }

  private wait(millis: number): void {
    this.timer = setTimeout(() => {
      const remaining = this.deadline - performance.now();
      if (remaining <= 0) this.end();
      else this.wait(Math.min(remaining, this.millis));
    }, millis);
  }

  private end(): void {
    this.linked.abort(new GenerationFailed('provider_timed_out'));
  }
}

/** The wait before another call of the same model, with random jitter so that many calls do not return at once. Null if there is no other call. */
function pauseAfter({ isRetryable, retryAfterSeconds }: GenerationFailed, attempt: number, isLast: boolean): number | null {
  if (!isRetryable || attempt >= TRIES_OF_A_MODEL) return null;
  const longest = isLast ? LONGEST_WAIT_MILLIS : LONGEST_WAIT_BEFORE_FALLBACK_MILLIS;
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000 <= longest ? retryAfterSeconds * 1_000 : null;
  return Math.min(FIRST_WAIT_MILLIS * 2 ** (attempt - 1), longest) * (0.5 + Math.random() / 2);
}
