export { type Analyser, analyserFor, type Forms, type Term } from './analyser.ts';
export { Best, type Place } from './best.ts';
export { MAX_QUERY } from './query.ts';
export { type SearchOptions, type SearchResult, TextIndex, type Texts, type Weights } from './text-index.ts';
