import { useEffect, useState } from 'react';

/** How long the user must pause. */
const TYPING_MILLIS = 300;

/** The text once the user has stopped typing, so that a search is not sent for each letter. */
export function usePausedText(text: string): string {
  const [paused, setPaused] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_MILLIS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
