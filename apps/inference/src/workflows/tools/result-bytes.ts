import type { OpenedRound } from './opened-rounds.ts';
import { RESULT_BYTES, RESULTS_OF_A_REPLY_BYTES } from './tool-call.ts';

type Rounds = readonly { readonly calls: readonly Pick<OpenedRound['calls'][number], 'text'>[] }[];

/** Bytes left for further results of a reply. */
export function freeBytes(rounds: Rounds): number {
  const used = rounds.flatMap(({ calls }) => calls).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return Math.max(0, RESULTS_OF_A_REPLY_BYTES - used);
}

/** The most bytes that the results of this many calls can have. A search in knowledge has its own limit, and rarely exceeds this one. */
export const mostResultBytes = (rounds: Rounds, calls: number): number => Math.min(freeBytes(rounds), calls * RESULT_BYTES);
