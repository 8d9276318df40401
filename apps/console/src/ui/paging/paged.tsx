import { type ReactNode, useEffect, useRef } from 'react';
import { useMessages } from '../../messages/index.ts';
import { formatTime } from '../../messages/format.ts';
import { ErrorNote, ErrorState, Loading } from '../states.tsx';
import { Pager } from '../table.tsx';
import { usePaging } from './use-paging.ts';

interface AsOf {
  readonly time: string;
}

interface PagedAnswer {
  readonly next_token: string | null;
  readonly as_of?: AsOf | null;
}

interface PagedProps<Answer> {
  readonly query: {
    readonly data: Answer | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => unknown;
  };
  /** The token of the page that is shown. */
  readonly token: string | undefined;
  /** False for a list that is not the page's main content. */
  readonly resetScroll?: boolean;
  readonly children: (answer: Answer) => ReactNode;
}

/** A page of a list, with its age and links to the next and the previous page. Earlier pages are in the browser's history. */
export function Paged<Answer extends PagedAnswer>({ query, token, resetScroll, children }: PagedProps<Answer>) {
  const { common } = useMessages();
  const { data, error, isPending } = query;
  const pager = usePaging(token, data?.next_token, error, resetScroll);
  const list = useRef<HTMLDivElement>(null);
  const isTurning = useRef(false);
  // The button may be disabled on the new page. Filters keep the focus in their fields.
  useEffect(() => {
    if (isTurning.current) list.current?.focus();
    isTurning.current = false;
  }, [token]);
  const turn = (action: () => void) => () => {
    isTurning.current = true;
    action();
  };
  if (data === undefined && !isPending) return <ErrorState error={error} onRetry={() => void query.refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-3 outline-none!" aria-busy={query.isPlaceholderData}>
      {error !== null && <ErrorNote error={error} />}
      {children(data)}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-xs text-muted">{data.as_of && common.asOf(formatTime(data.as_of.time))}</p>
        <Pager
          hasPrevious={pager.hasPrevious}
          hasNext={pager.hasNext && !query.isPlaceholderData}
          onPrevious={turn(pager.onPrevious)}
          onNext={turn(pager.onNext)}
        />
      </div>
    </div>
  );
}
