import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BedrockGuardrails, GuardrailFailed, type GuardrailUnits, groundingOf, type Knowledge } from '@parlance/chat-models';
import { Config, type ModelProvider } from '@parlance/config';
import { refuse } from '@parlance/decider';
import type { GuardrailVerdict } from '../domain/conversation-events.ts';
import type { GuardrailSettings } from './from-bot.ts';

/** Shown instead of a blocked answer, if the bot has no text of its own. */
export const BLOCKED_TEXT =
  'This answer was withheld, because the knowledge of this bot does not support it well enough. Rephrase the question, or ask the owner of the bot.';

export interface Answered {
  readonly question: string;
  readonly answer: string;
  /** Null for a bot without knowledge. */
  readonly knowledge: Knowledge | null;
}

export interface Verdict extends GuardrailVerdict {
  /** The text that is shown to the user. */
  readonly text: string;
}

/** The guardrails of bots: the built-in check, or a guardrail of Amazon Bedrock. */
@Injectable()
export class Guardrail implements OnModuleDestroy {
  /** Clients by the name of the provider whose credentials they use. Opened when first needed. */
  private readonly opened = new Map<string, BedrockGuardrails>();
  private readonly providers: readonly (readonly [string, ModelProvider])[];

  constructor({ models }: Config) {
    this.providers = Object.entries(models?.providers ?? {}).filter(([, { type }]) => type === 'bedrock');
  }

  /** Without a verdict throws the refusal `guardrail_failed` (conflict), and the answer is not shown. Also throws the signal's reason. */
  async check(
    settings: GuardrailSettings,
    answered: Answered,
    signal: AbortSignal,
    /** Called with the units of each call to Amazon Bedrock, even if the check fails afterwards. */
    onUnits: (units: GuardrailUnits) => void = () => {},
  ): Promise<Verdict> {
    if (settings.arn === null) return builtIn(settings, answered, signal);
    return this.byBedrock(settings.arn, settings, answered, { signal, onUnits });
  }

  onModuleDestroy(): void {
    for (const guardrails of this.opened.values()) guardrails.close();
  }

  private async byBedrock(
    arn: string,
    { version, blockedText }: GuardrailSettings,
    { question, answer, knowledge }: Answered,
    { signal, onUnits }: { readonly signal: AbortSignal; readonly onUnits: (units: GuardrailUnits) => void },
  ): Promise<Verdict> {
    try {
      const checked = { question, answer, chunks: knowledge?.chunks ?? [] };
      const { text, ...verdict } = await this.guardrailsFor(arn).check({ arn, version }, checked, signal, onUnits);
      const shown = verdict.verdict === 'blocked' ? blockedText || text || BLOCKED_TEXT : text;
      return { by: 'bedrock', ...verdict, text: shown };
    } catch (error) {
      if (error instanceof GuardrailFailed)
        throw refuse('conflict', 'guardrail_failed', `The guardrail of this bot returned no verdict, because ${error.reason}.`);
      throw error;
    }
  }

  /** Uses the credentials of the provider in the guardrail's region, or else of the first provider. */
  private guardrailsFor(arn: string): BedrockGuardrails {
    const region = arn.split(':')[3];
    const [name, provider] = this.providers.find(([, each]) => each.region === region) ?? this.providers[0] ?? [];
    if (name === undefined || !provider) throw new GuardrailFailed('no provider of the type bedrock is configured');
    const { api_key: apiKey, access_key_id: accessKeyId, secret_access_key: secretAccessKey, base_url: url } = provider;
    const keys = accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null;
    if (apiKey === null && keys === null) throw new GuardrailFailed('its provider has no credentials');
    const known = this.opened.get(name) ?? new BedrockGuardrails({ url, apiKey, keys });
    this.opened.set(name, known);
    return known;
  }
}

async function builtIn(
  { groundingThreshold, relevanceThreshold, blockedText }: GuardrailSettings,
  { question, answer, knowledge }: Answered,
  signal: AbortSignal,
): Promise<Verdict> {
  // Without knowledge there is nothing to compare.
  const nothing = { grounding: null, relevance: null };
  const scores = knowledge ? await groundingOf({ question, answer, chunks: knowledge.chunks }, signal) : nothing;
  const isBlocked = isBelow(scores.grounding, groundingThreshold) || isBelow(scores.relevance, relevanceThreshold);
  const verdict = isBlocked ? 'blocked' : 'passed';
  return { by: 'builtin', verdict, ...scores, text: isBlocked ? blockedText || BLOCKED_TEXT : answer };
}

const isBelow = (score: number | null, threshold: number): boolean => score !== null && score < threshold;
