import type { RecordedCall } from '@parlance/client/types';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCallMessages } from '../../messages/call-messages.ts';
import { Paged } from '../../ui/paging/paged.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { type CallsSearch, isFiltered } from './calls-search.ts';

interface CallPage {
  readonly calls: readonly RecordedCall[];
  readonly next_token: string | null;
  readonly as_of: { readonly time: string } | null;
}

interface Props {
  readonly query: UseQueryResult<CallPage>;
  readonly search: CallsSearch;
  readonly columns: readonly Column<RecordedCall>[];
  readonly resetScroll?: boolean;
  /** What to do to get a first call. */
  readonly start?: ReactNode;
}

/** A page of calls. Without one, it says why. */
export function CallList({ query, search, columns, resetScroll, start }: Props) {
  const texts = useCallMessages();
  const empty = (next: string | null) => {
    if (next !== null) return <EmptyState title={texts.noneHere} text={texts.noneHereText} />;
    if (isFiltered(search) || search.token !== undefined) return <EmptyState title={texts.noMatch} text={texts.noMatchText} />;
    return <EmptyState title={texts.none} text={texts.noneText} action={start} />;
  };
  return (
    <Paged query={query} token={search.token} {...(resetScroll !== undefined && { resetScroll })}>
      {({ calls, next_token }) => (
        <Table hasCards label={texts.title} columns={columns} rows={calls} keyOf={({ call_id }) => call_id} empty={empty(next_token)} />
      )}
    </Paged>
  );
}
