export { Turns, turns } from './own-turns.ts';
export { isTurnOver, nextTurn } from './shared-turn.ts';
export { SLICE_MS } from './slice.ts';
