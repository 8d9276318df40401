export { Turns, turns } from './own-turns.ts';
export { inTurns, isTurnOver, nextTurn } from './shared-turn.ts';
export { SLICE_MS } from './slice.ts';
