import { useEffect, useState } from 'react';
import { LONGEST_TIMER } from '../../longest-timer.ts';

/** Whether a time in epoch seconds has passed. Updates when it passes. */
export function useHasPassed(seconds: number | null): boolean {
  const [passed, setPassed] = useState<number | null>(null);
  useEffect(() => {
    if (seconds === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const left = seconds * 1_000 - Date.now();
      if (left <= 0) setPassed(seconds);
      else timer = setTimeout(look, Math.min(left, LONGEST_TIMER));
    };
    look();
    return () => clearTimeout(timer);
  }, [seconds]);
  return seconds !== null && passed === seconds;
}
