import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type ChatModel, DEFAULT_PARAMETERS, GenerationFailed, type Prompt, type ProviderGate, type Usage } from '@parlance/chat-models';
import type { ModelEntry } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Clock } from '@parlance/foundation';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { ExecuteModelCheck } from '../../commands/aggregates.ts';
import { ReplyReservations } from '../../commands/reply-reservations.ts';
import { type CheckFailure, failureOf, NO_CREDENTIALS, NOT_FOR_CHAT, type SettingsPlace } from './check-failures.ts';

/** OpenAI refuses a limit below 16 tokens. */
const MOST_TOKENS = 16;
const LONGEST_MILLIS = 15_000;

const QUESTION = 'Answer with the word yes.';
const PROMPT: Prompt = {
  turns: [{ role: 'user', text: QUESTION }],
  instruction: '',
  knowledge: null,
  parameters: { ...DEFAULT_PARAMETERS, maxTokens: MOST_TOKENS },
  isCached: false,
};

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };

export interface CheckedModel {
  /** Time until the answer ended or failed. Null if the provider was not called. */
  readonly latencyMillis: number | null;
  readonly failure: CheckFailure | null;
}

interface Called {
  readonly usage: Usage;
  readonly failed: GenerationFailed | null;
}

/** Calls models to find out whether their configuration works. Makes one call, without retries and fallbacks. */
@Injectable()
export class ModelChecks {
  /** The time limit of a call. */
  longestMillis = LONGEST_MILLIS;

  constructor(
    private readonly commands: CommandBus,
    private readonly catalogue: Catalogue,
    private readonly reservations: ReplyReservations,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the check and its cost are recorded. Throws the refusal `model_not_found` (missing), and as `Budgets.reserve` does. */
  async check(modelId: string, userId: string): Promise<CheckedModel> {
    const entry = this.catalogue.entries.get(modelId);
    if (!entry) throw refuse('missing', 'model_not_found', 'There is no model with this ID in the catalogue.');
    const opened = this.catalogue.isForChat(entry) ? this.catalogue.providers.open(entry) : null;
    if (!opened) {
      const failure = this.catalogue.isForChat(entry) ? NO_CREDENTIALS(entry, this.placeOf(entry)) : NOT_FOR_CHAT(entry);
      await this.record(entry, userId, NO_USAGE, failure);
      return { latencyMillis: null, failure };
    }
    const reserved = await this.reservations.reserveCall({
      userId,
      botId: null,
      model: modelId,
      texts: [QUESTION],
      outputTokens: MOST_TOKENS,
    });
    // The block does not record the use of this call, so its cost stays reserved until the block's lease ends.
    reserved.doubt();
    const begun = performance.now();
    const { usage, failed } = await this.call(opened.chat, opened.isLocal ? null : opened.provider, userId);
    const latencyMillis = Math.round(performance.now() - begun);
    const failure = failed && failureOf(failed, entry, this.longestMillis, this.placeOf(entry));
    await this.record(entry, userId, usage, failure);
    return { latencyMillis, failure };
  }

  private placeOf({ provider }: ModelEntry): SettingsPlace {
    return { isManaged: this.catalogue.whole.sources.providers.get(provider) === 'managed' };
  }

  private async call(chat: ChatModel, gate: ProviderGate | null, userId: string): Promise<Called> {
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(new GenerationFailed('provider_timed_out')), this.longestMillis);
    try {
      const endTurn = await gate?.turns.take(userId, time.signal);
      try {
        return { usage: await usageOf(chat, gate, time.signal), failed: null };
      } finally {
        endTurn?.();
      }
    } catch (error) {
      if (!(error instanceof GenerationFailed)) throw error;
      return { usage: error.usage ?? NO_USAGE, failed: error };
    } finally {
      clearTimeout(timer);
    }
  }

  private async record({ id }: ModelEntry, userId: string, usage: Usage, failure: CheckFailure | null): Promise<void> {
    const costNanoDollars = await this.catalogue.cost(id, usage, this.clock.now());
    const check = { model: id, userId, botId: null, failure: failure?.code ?? null, usage, costNanoDollars };
    await this.commands.execute(new ExecuteModelCheck(newId(), { type: 'Record', ...check }));
  }
}

/** Reads the whole answer, which is short. Throws `GenerationFailed`. */
async function usageOf(chat: ChatModel, gate: ProviderGate | null, signal: AbortSignal): Promise<Usage> {
  const parts = chat.generate(PROMPT, signal)[Symbol.asyncIterator]();
  try {
    let next = await (gate === null ? parts.next() : gate.begin(() => parts.next()));
    for (; !next.done; next = await parts.next()) if (next.value.type === 'end') return next.value.usage;
    throw new GenerationFailed('stream_broken');
  } finally {
    await parts.return?.(undefined);
  }
}
