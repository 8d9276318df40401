import type { RecordedCall } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { audited } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { useCallMessages } from '../../../../messages/call-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { Page } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import type { Column } from '../../../../ui/table.tsx';
import { MODELS_SCOPE } from '../../../account/tokens/token-form.ts';
import { useNames } from '../../../bots/header/people.ts';
import { callColumns } from '../../../calls/call-columns.tsx';
import { CallFilters } from '../../../calls/call-filters.tsx';
import { CallList } from '../../../calls/call-list.tsx';
import { CallPanel } from '../../../calls/call-panel.tsx';
import { CallSums } from '../../../calls/call-sums.tsx';
import { type CallsSearch, callsSearch, filtersOf } from '../../../calls/calls-search.ts';
import { isOfSession } from '../../../calls/session-calls.ts';
import { ShortId } from '../short-id.tsx';
import { UserField } from './user-field.tsx';

const PAGE = 50;
/** Further tokens are shown by ID. */
const MOST_TOKENS = 1_000;
const FRESH_MILLIS = 300_000;

/** The calls of models by the programs of all users. */
export function CallsPage() {
  const { calls: texts } = useAdminMessages().admin.operations;
  const callTexts = useCallMessages();
  const navigate = useNavigate();
  // Checked here and not by the route, because the first page would load the check.
  const search = callsSearch(useSearch({ strict: false }));
  const filters = filtersOf(search);
  const [shown, setShown] = useState<RecordedCall | null>(null);
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'calls', filters, search.token],
    queryFn: ({ signal }) => parlance.api.get('/admin/calls', { query: { ...filters, limit: PAGE, next_token: search.token }, signal }),
    placeholderData: keepPreviousData,
  });
  const summary = useQuery({
    ...audited,
    queryKey: ['admin', 'calls', 'summary', filters],
    queryFn: ({ signal }) => parlance.api.get('/admin/calls/summary', { query: filters, signal }),
    placeholderData: keepPreviousData,
  });
  const { tokens, models } = useOptions();
  const users = useNames([...(query.data?.calls ?? []).map(({ user_id }) => user_id), ...(search.user === undefined ? [] : [search.user])]);
  const modelOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const tokenOf = (id: string) => (isOfSession(id) ? callTexts.console : tokens.find((token) => token.id === id)?.name);
  const caller: Column<RecordedCall> = {
    id: 'caller',
    name: callTexts.caller,
    cell: ({ user_id: user, token_id }) => (
      <span className="flex min-w-36 flex-col">
        <Filtered filter={{ ...search, user }} label={texts.ofUser}>
          {users.get(user) ?? <ShortId id={user} />}
        </Filtered>
        <Filtered filter={{ ...search, token_id }} label={texts.withToken} look="text-xs text-muted">
          {tokenOf(token_id) ?? <ShortId id={token_id} />}
        </Filtered>
      </span>
    ),
  };
  return (
    <Page
      title={texts.title}
      description={texts.description}
      isWide
      actions={<CsvButton onDownload={() => downloadCsv('/admin/calls', filters, 'calls.csv')} />}
    >
      <CallFilters
        key={JSON.stringify(search)}
        search={search}
        onApply={(next) => void navigate({ to: '.', search: next as never })}
        tokens={tokens}
        models={models}
        userField={(user, onChange) => <UserField userId={user} name={users.get(user)} onChange={onChange} />}
      />
      <Loaded query={summary}>{(sums) => <CallSums summary={sums} />}</Loaded>
      <CallList
        query={query}
        search={search}
        columns={callColumns({ texts: callTexts, modelOf, onShow: setShown, others: [caller] })}
        start={<p className="text-sm text-muted">{texts.start}</p>}
      />
      {shown && (
        <CallPanel
          call={shown}
          modelName={modelOf(shown.model)}
          tokenName={tokenOf(shown.token_id) ?? callTexts.revokedToken}
          userName={users.get(shown.user_id) ?? shown.user_id}
          onClose={() => setShown(null)}
        />
      )}
    </Page>
  );
}

/** The tokens that may call models, and the models, with their names. */
function useOptions() {
  const tokens = useQuery({
    ...audited,
    queryKey: ['admin', 'tokens', 'names'],
    queryFn: ({ signal }) => parlance.api.get('/admin/tokens', { query: { limit: MOST_TOKENS }, signal }),
    staleTime: FRESH_MILLIS,
  }).data?.tokens;
  const models = useQuery({
    queryKey: ['callable-models'],
    queryFn: ({ signal }) => parlance.api.get('/user/me/models', { signal }),
    staleTime: FRESH_MILLIS,
  }).data?.models;
  return {
    tokens: (tokens ?? [])
      .filter(({ scopes }) => scopes.includes(MODELS_SCOPE))
      .map(({ token_id: id, description: name }) => ({ id, name })),
    models: (models ?? []).map(({ id, name }) => ({ id, name })),
  };
}

interface FilteredProps {
  readonly filter: CallsSearch;
  readonly label: string;
  readonly look?: string;
  readonly children: ReactNode;
}

/** A link that filters the calls by one user or token. */
function Filtered({ filter: { token: _, ...filter }, label, look = '', children }: FilteredProps) {
  return (
    <Link
      to="."
      search={filter as never}
      className={`inline-flex min-h-6 items-center hover:text-accent hover:underline max-sm:min-h-11 ${look}`}
    >
      {children}
      <span className="sr-only"> {label}</span>
    </Link>
  );
}
