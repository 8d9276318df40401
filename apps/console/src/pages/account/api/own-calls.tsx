import type { PersonalToken, PricedModel, RecordedCall } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../api/download-csv.ts';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { useCallMessages } from '../../../messages/call-messages.ts';
import { monthOf } from '../../../calendar/months.ts';
import { parlance } from '../../../session/parlance.ts';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { linkInTextLook } from '../../../ui/link-look.ts';
import { Section } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { BudgetMeter } from '../budget-meter.tsx';
import { callColumns } from '../../calls/call-columns.tsx';
import { CallFilters } from '../../calls/call-filters.tsx';
import { CallList } from '../../calls/call-list.tsx';
import { CallPanel } from '../../calls/call-panel.tsx';
import { CallSums } from '../../calls/call-sums.tsx';
import { type CallsSearch, callsSearch, filtersOf } from '../../calls/calls-search.ts';
import { isOfSession } from '../../calls/session-calls.ts';

const PAGE = 50;

interface Props {
  readonly tokens: readonly PersonalToken[];
  readonly models: readonly PricedModel[];
}

/** The user's calls and what they cost. */
export function OwnCalls({ tokens, models }: Props) {
  const { api: account } = useAccountMessages();
  const texts = useCallMessages();
  const navigate = useNavigate();
  // Checked here and not by the route, because the first page would load the check.
  const search = callsSearch(useSearch({ strict: false }));
  const { user: _, ...filters } = filtersOf(search);
  const [shown, setShown] = useState<RecordedCall | null>(null);
  const query = useQuery({
    queryKey: ['own-calls', filters, search.token],
    queryFn: ({ signal }) => parlance.api.get('/user/me/calls', { query: { ...filters, limit: PAGE, next_token: search.token }, signal }),
    placeholderData: keepPreviousData,
  });
  const summary = useQuery({
    queryKey: ['own-calls', 'summary', filters],
    queryFn: ({ signal }) => parlance.api.get('/user/me/calls/summary', { query: filters, signal }),
    placeholderData: keepPreviousData,
  });
  const period = monthOf(new Date());
  const usage = useQuery({ queryKey: ['my-usage', period], queryFn: () => parlance.usage({ period }) });
  const modelOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const tokenOf = (id: string) =>
    isOfSession(id) ? texts.console : (tokens.find(({ token_id }) => token_id === id)?.description ?? texts.revokedToken);
  const columns = callColumns({
    texts,
    modelOf,
    onShow: setShown,
    others: [{ id: 'token', name: texts.token, cell: ({ token_id }) => tokenOf(token_id) }],
  });
  return (
    <Section
      title={account.calls}
      description={
        <>
          {account.callsText}{' '}
          <Link to="/account/usage" className={linkInTextLook}>
            {account.toUsage}
          </Link>
        </>
      }
      actions={<CsvButton onDownload={() => downloadCsv('/user/me/calls', filters, 'calls.csv')} />}
    >
      {usage.data?.budget && <BudgetMeter budget={usage.data.budget} />}
      <CallFilters
        key={JSON.stringify(search)}
        search={search}
        onApply={(next: CallsSearch) => void navigate({ to: '.', search: next as never, resetScroll: false })}
        tokens={tokens.map(({ token_id: id, description: name }) => ({ id, name }))}
        models={models.map(({ id, name }) => ({ id, name }))}
      />
      <Loaded query={summary}>{(sums) => <CallSums summary={sums} />}</Loaded>
      <CallList query={query} search={search} columns={columns} resetScroll={false} />
      {shown && (
        <CallPanel call={shown} modelName={modelOf(shown.model)} tokenName={tokenOf(shown.token_id)} onClose={() => setShown(null)} />
      )}
    </Section>
  );
}
