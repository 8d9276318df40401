/** A marker [^n] in a reply refers to the chunk of rank n. */
export const markerOf = (rank: number): string => `[^${rank}]`;

const MARKERS = /[^\S\n]?\[\^(\d{1,4})\]/g;

/** Removes footnotes of a document, or markers of a model, that could be mistaken for citations. */
export const withoutMarkers = (text: string): string => text.replace(MARKERS, '');

/** Keeps only the markers of these ranks. */
export const withMarkersOf = (text: string, ranks: ReadonlySet<number>): string =>
  text.replace(MARKERS, (marker, rank: string) => (ranks.has(Number(rank)) ? marker : ''));
