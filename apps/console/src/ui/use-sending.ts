import { useRef, useState } from 'react';

interface Sending {
  readonly isPending: boolean;
  /** Why it failed the last time; null from the next time on. */
  readonly error: unknown;
  readonly send: (event?: { preventDefault(): void }) => void;
  readonly forgetError: () => void;
}

/** The state of a form or a dialog whose last button does something that may fail. It does one thing at a time. */
export function useSending(act: () => Promise<unknown>): Sending {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isRunning = useRef(false);
  const run = async () => {
    // Enter in the only field of a form sends it, also while its button is pending.
    if (isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    setError(null);
    await act().catch(setError);
    isRunning.current = false;
    setPending(false);
  };
  return {
    isPending,
    error,
    send: (event) => {
      event?.preventDefault();
      void run();
    },
    forgetError: () => setError(null),
  };
}
