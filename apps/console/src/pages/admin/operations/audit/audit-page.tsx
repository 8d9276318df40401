import type { AuditEntry } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { useMe } from '../../../../session/use-me.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { ShortId } from '../short-id.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { AuditEntryPanel } from './audit-entry-panel.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { actorOf, namesIn } from './entry-names.ts';
import { filtersOf } from './audit-search.ts';
import { VerifyLog } from './verify-log.tsx';

const route = getRouteApi('/signed-in/admin/audit');

export function AuditPage() {
  const { admin } = useAdminMessages();
  const { audit } = admin.operations;
  const search = route.useSearch();
  const filters = filtersOf(search);
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'audit', search],
    queryFn: ({ signal }) => parlance.api.get('/admin/audit-logs', { query: { ...filters, next_token: search.token, limit: 50 }, signal }),
    placeholderData: keepPreviousData,
    // Each read of the log adds an entry to it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const columns = useColumns(setShown);

  return (
    <Page
      title={audit.title}
      description={audit.description}
      isWide
      actions={
        <>
          <VerifyLog />
          <CsvButton onDownload={() => downloadCsv('/admin/audit-logs', filters, 'audit-log.csv')} />
        </>
      }
    >
      <AuditFilters key={JSON.stringify(search)} search={search} names={namesIn(query.data?.audit_logs ?? [])} />
      <Paged query={query} token={search.token}>
        {({ audit_logs }) => (
          <Table
            hasCards
            label={audit.title}
            columns={columns}
            rows={audit_logs}
            keyOf={(entry) => entry.id}
            empty={<EmptyState title={audit.emptyTitle} text={audit.emptyText} />}
          />
        )}
      </Paged>
      {shown && <AuditEntryPanel entry={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

function useColumns(onShow: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  const { audit } = useAdminMessages().admin.operations;
  const me = useMe();
  return [
    {
      id: 'action',
      name: audit.what,
      cell: (entry) => {
        const what = audit.happened(entry.action_type, entry.success);
        return (
          <button
            type="button"
            onClick={() => onShow(entry)}
            aria-label={audit.show(what)}
            className="min-h-8 min-w-44 cursor-pointer text-start text-accent hover:underline max-sm:min-h-11"
          >
            {what}
          </button>
        );
      },
    },
    {
      id: 'resource',
      name: audit.resource,
      cell: (entry) => <Resource entry={entry} />,
    },
    {
      id: 'user',
      name: audit.actor,
      cell: (entry) => (
        <FilterLink filter={{ user_id: entry.user_id }} label={audit.allOfUser}>
          {actorOf(entry, audit, me.user_id) ?? <ShortId id={entry.user_id} />}
        </FilterLink>
      ),
    },
    {
      id: 'result',
      name: audit.result,
      cell: ({ success }) => <Tag tone={success ? 'ok' : 'bad'}>{success ? audit.succeeded : audit.refused}</Tag>,
    },
    { id: 'time', name: audit.time, cell: ({ timestamp }) => <span className="whitespace-nowrap">{formatTime(timestamp)}</span> },
  ];
}

function Resource({ entry }: { readonly entry: AuditEntry }) {
  const { audit } = useAdminMessages().admin.operations;
  const { resource_type, resource_id, resource_name } = entry;
  return (
    <div className="min-w-36">
      {resource_id !== '' && (
        <FilterLink filter={{ resource_type, resource_id }} label={audit.allOfResource}>
          {resource_name ?? <ShortId id={resource_id} />}
        </FilterLink>
      )}
      <span className="block text-xs text-muted">{audit.resourceTypes[resource_type] ?? resource_type}</span>
    </div>
  );
}

interface FilterLinkProps {
  readonly filter: { readonly resource_type?: string; readonly resource_id?: string; readonly user_id?: string };
  readonly label: string;
  readonly children: ReactNode;
}

/** A link that filters the log by one user or resource. */
function FilterLink({ filter, label, children }: FilterLinkProps) {
  return (
    <Link
      to="/admin/audit"
      search={filter}
      className="hover:text-accent hover:underline max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
    >
      {children}
      <span className="sr-only"> {label}</span>
    </Link>
  );
}
