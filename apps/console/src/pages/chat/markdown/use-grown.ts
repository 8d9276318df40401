import { useEffect, useReducer, useRef } from 'react';

/** Parsing and rendering more Markdown than this at once takes too long on a slow machine. */
const MOST_ADDED = 4_000;

/**
 * The text as far as it is shown. A growing text is added in pieces, one per frame: after a reload or an outage, a long reply arrives all
 * at once and would block the page.
 */
export function useGrown(text: string, isGrowing: boolean): string {
  const drawn = useRef(isGrowing ? 0 : text.length);
  const [, again] = useReducer((count: number) => count + 1, 0);
  const end = drawn.current + MOST_ADDED;
  const shown = text.length > end ? text.slice(0, end) : text;
  useEffect(() => {
    drawn.current = shown.length;
    if (shown.length === text.length) return;
    const frame = requestAnimationFrame(again);
    return () => cancelAnimationFrame(frame);
  }, [shown, text]);
  return shown;
}
