export { assemble, type Assembled, type ModelWindow } from './assembly/assemble.ts';
export { isImage } from './assembly/turn-files.ts';
export {
  ChatModel,
  type Chunk,
  DEFAULT_PARAMETERS,
  type GenerationParameters,
  type Knowledge,
  type Produced,
  type Prompt,
  type StopReason,
  type ToolCall,
  type ToolOutcome,
  type Turn,
  type TurnFile,
  type Usage,
} from './chat-model.ts';
export { responseOf } from './dialects/answers/responses-answer.ts';
export { type AnswerForm, TranslatedAnswer, translatedError } from './dialects/answers/translated-answer.ts';
export { openTranslatedModel, TranslatedModel } from './dialects/translated-model.ts';
export { UntranslatableRequest } from './dialects/requests/request-fields.ts';
export type { TranslatedFormat, TranslatedRequest } from './dialects/translation-target.ts';
export { LinkedAbort } from './linked-abort.ts';
export { markerOf, withMarkersOf, withoutMarkers } from './citation-markers.ts';
export { countTokens, countTokensOfAll, type Counted } from './count-tokens.ts';
export { type Checked, groundingOf, type GroundingScores } from './grounding/grounding.ts';
export { type BedrockAccess, BedrockGuardrails, GuardrailFailed } from './guardrail/bedrock-guardrail.ts';
export type { Outcome } from './guardrail/guardrail-calls.ts';
export type { ChargedPolicy, GuardrailUnits } from './guardrail/guardrail-units.ts';
export { LocalExtractive } from './local/local-extractive.ts';
export { type CallCharge, type FailureCode, GenerationFailed } from './providers/generation-failed.ts';
export { baseUrlOf, hasCredentials, type ModelSettings, openChatModel, type ProviderSettings } from './providers/open-chat-model.ts';
export { type PassedRequest, ProviderHttp, type ProviderNetwork } from './providers/provider-http.ts';
export { countUsage, plausibleTokens, type Reported, usageWithin } from './providers/usage-of.ts';
export { type WireAccess, wireAccessOf, type WireDialect } from './providers/wire-access.ts';
export { failureOf } from './providers/failure-of.ts';
export { type Asker, type Begin, ModelRouter, type Routed, type RoutedModel } from './router/model-router.ts';
export { type BreakerReport, type BreakerState, type GateLimits, ProviderGate } from './router/provider-gate.ts';
export { SHARE_OF_A_USER } from './router/fair-turns.ts';
