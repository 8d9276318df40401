import type { SharedChunk } from '@parlance/client/types';
import { createContext } from 'react';

/** The chunks that a reply refers to, for the marks in its text. */
export const Citations = createContext<readonly SharedChunk[]>([]);

/** The chunks that the text refers to; all of them if it refers to none. */
export function citedIn(text: string, chunks: readonly SharedChunk[]): readonly SharedChunk[] {
  const cited = chunks.filter(({ rank }) => text.includes(`[^${rank}]`));
  return cited.length > 0 ? cited : chunks;
}
