import { ParlanceError } from '@parlance/client';
import { useEffect, useState } from 'react';
import { useEntryMessages } from '../messages/entry-messages.ts';

/** Seconds until the server allows another try after this error. It counts down to 0. */
function useWaitingSeconds(error: unknown): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const end = Date.now() + retrySeconds(error) * 1_000;
    const left = () => Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    setSeconds(left());
    if (left() === 0) return undefined;
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return seconds;
}

const retrySeconds = (error: unknown): number => (error instanceof ParlanceError && error.status === 429 ? (error.retryAfter ?? 0) : 0);

const MINUTE = 60;

/** How long to wait after too many attempts. Screen readers announce the error above, not the countdown. */
export function Waiting({ error }: { readonly error: unknown }) {
  const entry = useEntryMessages();
  const seconds = useWaitingSeconds(error);
  if (seconds === 0) return null;
  return (
    <p className="text-sm text-muted tabular-nums">
      {seconds > MINUTE ? entry.waitMinutes(Math.ceil(seconds / MINUTE)) : entry.waitSeconds(seconds)}
    </p>
  );
}
