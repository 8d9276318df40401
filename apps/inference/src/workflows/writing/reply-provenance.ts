import { createHash } from 'node:crypto';
import type { GenerationParameters } from '@parlance/chat-models';
import type { Instant } from '@parlance/decider';
import type { Provenance } from '../../domain/conversation-events.ts';
import type { CallGuardrails } from '../guardrails/call-guardrails.ts';
import type { Generation } from './generation.ts';
import type { CheckedReply } from './reply-guard.ts';
import type { PromptOfBot } from './reply-prompt.ts';

/** Characters of a chunk's hash: 96 bits. */
const HASH = 16;
/** Characters of another system's ID. */
const LONGEST_ID = 200;
/** A provider's ID of a call. It stays in the log unsealed, so any other text in the header is left out: it could be content. */
const REQUEST_ID = /^[\w.:=+/-]{1,200}$/;

/** Facts about the work on a reply. Times are milliseconds of the process. */
export interface ReplyFacts {
  readonly begunAt: number;
  readonly promptAt: number | null;
  readonly prompt: PromptOfBot | null;
  readonly generation: Generation | null;
  readonly checked: CheckedReply | null;
  readonly guardrails: Pick<CallGuardrails, 'verdicts'> | null;
}

/** How a reply was produced. Without a network call only its duration is kept. */
export function provenanceOf(
  { begunAt, promptAt, prompt, generation, checked, guardrails }: ReplyFacts,
  priceFrom: Instant | null,
  now = performance.now(),
): Provenance {
  const bot = prompt?.bot ?? null;
  const begun = generation?.begun ?? null;
  const chunks = (prompt?.knowledge?.chunks ?? []).map(({ content }, index) => ({ id: idOf(bot?.chunkIds[index]), hash: hashOf(content) }));
  const memories = prompt?.usedMemory?.ids ?? [];
  const parameters = prompt ? namedParameters(prompt.parameters) : {};
  const policies = guardrails?.verdicts() ?? [];
  const since = (moment: number) => Math.round(moment - begunAt);
  const isTimed = bot !== null || begun !== null;
  return {
    ...(bot?.version != null && { botVersion: bot.version }),
    ...(chunks.length > 0 && { chunks }),
    ...(memories.length > 0 && { memories }),
    ...(begun && { provider: begun.provider, providerModel: begun.providerModel }),
    ...(REQUEST_ID.test(generation?.requestId ?? '') && { requestId: generation!.requestId! }),
    ...(priceFrom !== null && { priceFrom }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(checked && { guardrail: checked.recorded }),
    ...(policies.length > 0 && { policies }),
    millis: {
      total: since(now),
      ...(isTimed && promptAt !== null && { toPrompt: since(promptAt) }),
      ...(isTimed && generation?.firstAt != null && { toFirstToken: since(generation.firstAt) }),
      ...(checked && { guardrail: Math.round(checked.millis) }),
    },
    ...(begun && begun.tries > 1 && { tries: begun.tries }),
  };
}

const idOf = (id = ''): string => id.slice(0, LONGEST_ID).toWellFormed();

const hashOf = (content: string): string => createHash('sha256').update(content).digest('base64url').slice(0, HASH);

/** The parameters that were set, by their names in the API. */
function namedParameters({ maxTokens, temperature, topP, topK, stopSequences, reasoningTokens }: GenerationParameters) {
  const all = { max_tokens: maxTokens, temperature, top_p: topP, top_k: topK, reasoning_budget_tokens: reasoningTokens };
  const numbers = Object.fromEntries(Object.entries(all).filter((each): each is [string, number] => each[1] !== null));
  return { ...numbers, ...(stopSequences.length > 0 && { stop_sequences: stopSequences }) };
}
