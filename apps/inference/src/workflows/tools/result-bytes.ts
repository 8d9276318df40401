import type { OpenedRound } from './opened-rounds.ts';
import { RESULT_BYTES, RESULTS_OF_A_REPLY_BYTES } from './tool-call.ts';

type Rounds = readonly { readonly calls: readonly Pick<OpenedRound['calls'][number], 'text'>[] }[];

/** Bytes that further results of a reply may have. */
export function freeBytes(rounds: Rounds): number {
  const used = rounds.flatMap(({ calls }) => calls).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return Math.max(0, RESULTS_OF_A_REPLY_BYTES - used);
}

/** Bytes that the results of these many calls can have. A search in knowledge, whose texts have a limit of their own, seldom finds more. */
export const mostResultBytes = (rounds: Rounds, calls: number): number => Math.min(freeBytes(rounds), calls * RESULT_BYTES);
