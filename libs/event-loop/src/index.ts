export { Turns, turns } from './own-turns.ts';
export { afterSilence } from './patience.ts';
export { inTurns, isTurnOver, nextTurn } from './shared-turn.ts';
export { SLICE_MS } from './slice.ts';
