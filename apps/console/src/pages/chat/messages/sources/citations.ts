import type { SharedChunk } from '@parlance/client/types';
import { createContext, useRef } from 'react';

/** The sources of a reply in order, for the marks in its text. */
export const Citations = createContext<readonly SharedChunk[]>([]);

/** The number of a source, as readers see it. Ranks among all found chunks would have gaps. */
export const numberOf = (sources: readonly SharedChunk[], { rank }: SharedChunk): number =>
  sources.findIndex((each) => each.rank === rank) + 1;

/** The chunks that the text refers to, in the order of reference; all of them if it refers to none. */
export function citedIn(text: string, chunks: readonly SharedChunk[]): readonly SharedChunk[] {
  const places = chunks.map((chunk) => ({ chunk, at: text.indexOf(`[^${chunk.rank}]`) })).filter(({ at }) => at >= 0);
  return places.length > 0 ? places.toSorted((one, other) => one.at - other.at).map(({ chunk }) => chunk) : chunks;
}

/** Keeps the same list while the text refers to the same chunks, so that marks are not rendered again as it grows. */
export function useCited(text: string, chunks: readonly SharedChunk[]): readonly SharedChunk[] {
  const cited = citedIn(text, chunks);
  const latest = useRef(cited);
  const isSame = latest.current.length === cited.length && cited.every((chunk, index) => chunk === latest.current[index]);
  if (!isSame) latest.current = cited;
  return latest.current;
}
