import { useState } from 'react';

interface Sending {
  readonly isPending: boolean;
  /** Why it failed the last time; null from the next time on. */
  readonly error: unknown;
  readonly send: (event?: { preventDefault(): void }) => void;
  readonly forgetError: () => void;
}

/** The state of a form or a dialog whose last button does something that may fail. */
export function useSending(act: () => Promise<unknown>): Sending {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setPending(true);
    setError(null);
    await act().catch(setError);
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
