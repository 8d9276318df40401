import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `holds` returns a truthy value, and returns it. Rejects after the limit with the text and the last error. */
export async function until(text, holds, limitSeconds = 60) {
  const end = performance.now() + limitSeconds * 1000;
  let last;
  while (performance.now() < end) {
    try {
      const value = await holds();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await pause(100);
  }
  throw new Error(`timed out after ${limitSeconds} s waiting until ${text}${last ? `: ${last.message}` : ''}`);
}
