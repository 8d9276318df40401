export {
  ChatModel,
  type Chunk,
  DEFAULT_PARAMETERS,
  type GenerationParameters,
  type Knowledge,
  type Produced,
  type Prompt,
  type StopReason,
  type Turn,
  type TurnFile,
  type Usage,
} from './chat-model.ts';
export { markerOf, withMarkersOf, withoutMarkers } from './citation-markers.ts';
export { countTokens, type Counted } from './count-tokens.ts';
export { LocalExtractive } from './local/local-extractive.ts';
export { isTurnOver, nextTurn } from './turn-of-the-loop.ts';
