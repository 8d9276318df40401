import { useRef, useState } from 'react';

interface Sending {
  readonly isPending: boolean;
  /** The error of the last attempt; null once the next one starts. */
  readonly error: unknown;
  readonly send: (event?: { preventDefault(): void }) => void;
  readonly forgetError: () => void;
}

/** The state of a form or a dialog that sends something that may fail, one request at a time. */
export function useSending(act: () => Promise<unknown>): Sending {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isRunning = useRef(false);
  const run = async () => {
    // Enter in a form's only field submits it even while its button is pending.
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
