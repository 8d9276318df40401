import { ParlanceError } from '@parlance/client';
import { useEffect, useState } from 'react';
import { namesReset } from '../../../api/error-text.ts';
import { formatTime } from '../../../messages/format.ts';
import { type Messages, useMessages } from '../../../messages/index.ts';
import { ErrorNote } from '../../../ui/states.tsx';
import type { Failure } from './use-asking.ts';

/** Why a message was not sent, and when it can be sent again. */
export function SendError({ failure }: { readonly failure: Failure | null }) {
  const { chat } = useMessages();
  const seconds = useSecondsLeft(failure?.error);
  if (failure === null) return null;
  const file = refusedFile(failure);
  return (
    <div className="flex flex-col gap-1">
      <ErrorNote error={failure.error} title={file === null ? chat.notSent : chat.notSentBecauseOf(file)} />
      {seconds !== null && !namesReset(failure.error) && <p className="px-1 text-xs text-muted">{retryText(chat, seconds)}</p>}
    </div>
  );
}

/** The name of the file that the server has refused. */
function refusedFile({ error, content }: Failure): string | null {
  for (const { path } of error instanceof ParlanceError ? error.errors : []) {
    const part = content[Number(/^message\.content\[(\d+)\]/.exec(path)?.[1])];
    if (part?.content_type === 'attachment') return part.file_name;
  }
  return null;
}

const A_SECOND = 1_000;
/** Longer waits are shown as a time of day. */
const LONGEST_COUNTED = 120;

function retryText(chat: Messages['chat'], seconds: number): string {
  if (seconds > LONGEST_COUNTED) return chat.retryAt(formatTime(Math.floor(Date.now() / A_SECOND) + seconds));
  return seconds > 0 ? chat.retryIn(seconds) : chat.retryNow;
}

function useSecondsLeft(error: unknown): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const after = error instanceof ParlanceError ? error.retryAfter : null;
    setLeft(after === null ? null : Math.ceil(after));
    if (after === null) return;
    const until = Date.now() + after * A_SECOND;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((until - Date.now()) / A_SECOND));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, A_SECOND);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}
