import { Injectable } from '@nestjs/common';
import type { GuardrailUnits } from '@parlance/chat-models';
import type { GuardrailSettings } from '../../adapters/from-bot.ts';
import { Guardrail } from '../../adapters/guardrail.ts';
import type { GuardrailVerdict } from '../../domain/conversation-events.ts';
import type { Generation } from './generation.ts';
import type { PromptOfBot } from './reply-prompt.ts';

/** A reply after its check. */
export interface CheckedReply {
  readonly verdict: GuardrailVerdict['verdict'];
  readonly recorded: GuardrailVerdict;
  /** The model's answer, if it was replaced. Otherwise null. */
  readonly original: string | null;
  readonly millis: number;
}

interface ToCheck {
  readonly prompt: PromptOfBot;
  readonly question: string;
  readonly generation: Pick<Generation, 'text' | 'release'>;
  /** Called with the units of each call to a guardrail. */
  readonly onUnits?: (units: GuardrailUnits) => void;
}

/** Checks a finished answer before any of it is shown. Text that the answer continues was checked before, and is not checked again. */
@Injectable()
export class ReplyGuard {
  constructor(private readonly guardrail: Guardrail) {}

  /** Throws the refusal `guardrail_failed` (conflict), or the signal's reason. */
  async check(settings: GuardrailSettings, { prompt, question, generation, onUnits }: ToCheck, signal: AbortSignal): Promise<CheckedReply> {
    const began = performance.now();
    const original = generation.text;
    const { text, ...recorded } = await this.guardrail.check(
      settings,
      { question, answer: original, knowledge: prompt.knowledge },
      signal,
      onUnits,
    );
    // The reply may have been stored without the answer in the meantime.
    signal.throwIfAborted();
    const isWhole = recorded.verdict === 'passed';
    generation.release(text, { withReasoning: isWhole });
    return { verdict: recorded.verdict, recorded, original: isWhole ? null : original, millis: performance.now() - began };
  }
}
