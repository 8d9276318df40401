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
  readonly told: GuardrailVerdict;
  /** What the model answered, where it was replaced; else null. */
  readonly original: string | null;
  readonly millis: number;
}

interface ToCheck {
  readonly prompt: PromptOfBot;
  readonly question: string;
  readonly generation: Pick<Generation, 'text' | 'release'>;
  /** Called with what each call to a guardrail is charged. */
  readonly onUnits?: (units: GuardrailUnits) => void;
}

/** Checks a finished answer before anything of it is shown. A part that is continued was checked before, and is not checked again. */
@Injectable()
export class ReplyGuard {
  constructor(private readonly guardrail: Guardrail) {}

  /** Throws the refusal `guardrail_failed` (conflict), or the reason of the signal. */
  async check(settings: GuardrailSettings, { prompt, question, generation, onUnits }: ToCheck, signal: AbortSignal): Promise<CheckedReply> {
    const began = performance.now();
    const original = generation.text;
    const { text, ...told } = await this.guardrail.check(
      settings,
      { question, answer: original, knowledge: prompt.knowledge },
      signal,
      onUnits,
    );
    // The reply may have been stored meanwhile, without the answer.
    signal.throwIfAborted();
    const isWhole = told.verdict === 'passed';
    generation.release(text, { withReasoning: isWhole });
    return { verdict: told.verdict, told, original: isWhole ? null : original, millis: performance.now() - began };
  }
}
