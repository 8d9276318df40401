/** A marker [^n] in a reply refers to the chunk of rank n. */
export const markerOf = (rank: number): string => `[^${rank}]`;

const MARKERS = /[^\S\n]?\[\^(\d{1,4})\]/g;

/** Footnotes of a document, or markers of a model, are removed where they would be taken for citations. */
export const withoutMarkers = (text: string): string => text.replace(MARKERS, '');

/** Keeps markers of these ranks only. */
export const withMarkersOf = (text: string, ranks: ReadonlySet<number>): string =>
  text.replace(MARKERS, (marker, rank: string) => (ranks.has(Number(rank)) ? marker : ''));
