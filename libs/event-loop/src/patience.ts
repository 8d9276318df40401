const LOOKS = 4;

/**
 * Calls `then` after this time, unless the returned function is called before. A moment in which this process was busy counts for a part of the time
 * only: what arrived meanwhile is read after it.
 */
export function afterSilence(millis: number, then: () => void): () => void {
  let timer: NodeJS.Timeout;
  const look = (left: number) => void (timer = setTimeout(() => (left > 1 ? look(left - 1) : then()), millis / LOOKS));
  look(LOOKS);
  return () => clearTimeout(timer);
}
