import { ParlanceError } from '@parlance/client';
import { CircleAlert, Inbox } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { errorText } from '../api/error-text.ts';
import { useMessages } from '../messages/index.ts';
import { Button } from './button.tsx';

interface ErrorNoteProps {
  readonly error: unknown;
  readonly title?: string;
  /** Replaces the text of the error. */
  readonly text?: string | undefined;
}

export function ErrorNote({ error, title, text }: ErrorNoteProps) {
  const { common } = useMessages();
  return (
    <div role="alert" className="flex gap-3 rounded-md border border-bad p-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
      <div className="min-w-0">
        {title !== undefined && <p className="font-medium">{title}</p>}
        <p>{text ?? errorText(error)}</p>
        {error instanceof ParlanceError && error.requestId !== null && (
          <p className="text-xs text-muted">{common.requestId(error.requestId)}</p>
        )}
      </div>
    </div>
  );
}

const RETRY_MILLIS = 10_000;
/** After this time, an answer is unusually late. */
const LATE_MILLIS = 6_000;

/** Whether the server was unreachable or refused the request because one of its parts is unavailable. */
const isOutage = (error: unknown): boolean => error instanceof ParlanceError && (error.status === 0 || error.status > 501);

/** An error in place of a page or a part of it. After an outage, it goes away by itself. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { common } = useMessages();
  useEffect(() => {
    if (!onRetry || !isOutage(error)) return undefined;
    // Jitter: pages that failed together must not retry together.
    const timer = setTimeout(onRetry, RETRY_MILLIS * (0.75 + Math.random() / 2));
    return () => clearTimeout(timer);
    // `onRetry` is made by each rendering.
  }, [error]);
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col items-start gap-4 p-6">
      <ErrorNote error={error} title={common.errorTitle} />
      {onRetry && isOutage(error) && <p className="text-sm text-muted">{common.retriedLater}</p>}
      {onRetry && <Button onPress={onRetry}>{common.retry}</Button>}
    </div>
  );
}

export function Loading({ label }: { readonly label?: string }) {
  const { common } = useMessages();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MILLIS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-10 text-sm text-muted">
      <span aria-hidden className="size-4 animate-spin rounded-full border-2 border-line border-t-accent" />
      {isLate ? common.late : (label ?? common.loading)}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}

/** An empty state: what would be here, and how to get it. */
export function EmptyState({ title, text, action, icon = <Inbox aria-hidden className="size-8" /> }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-14 text-center">
      <span className="text-muted">{icon}</span>
      <p className="text-md font-semibold">{title}</p>
      {text !== undefined && <p className="text-sm text-muted">{text}</p>}
      {action}
    </div>
  );
}

interface Queried<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

/** Shows the data of a query, or that it is loading, or its error. */
export function Loaded<Data>({ query, children }: { readonly query: Queried<Data>; readonly children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Loading />;
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
}
