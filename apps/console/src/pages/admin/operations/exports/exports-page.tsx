import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Page } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { usePaging } from '../../../../ui/paging/use-paging.ts';
import { ExportFiles } from './export-files.tsx';
import { QueryPanel } from './query-panel.tsx';

const route = getRouteApi('/signed-in/admin/exports');

export function ExportsPage() {
  const { exports } = useAdminMessages().admin.operations;
  const { kind = 'hour', token } = route.useSearch();
  const query = useQuery({
    queryKey: ['admin', 'exports', kind, token],
    queryFn: ({ signal }) => parlance.api.get('/admin/exports', { query: { kind, next_token: token, limit: 50 }, signal }),
    placeholderData: keepPreviousData,
  });
  const pager = usePaging(token, query.data?.next_token, query.error);
  return (
    <Page title={exports.title} description={exports.description} isWide>
      <Loaded query={query}>
        {(data) => (
          <>
            <QueryPanel table={data.table} database={data.database} />
            <ExportFiles kind={kind} pager={pager} data={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
