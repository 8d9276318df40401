import type { OwnUsage } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { formatMoney, formatMonth, formatNumber, formatTime } from '../../messages/format.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { useMessages } from '../../messages/index.ts';
import { parlance } from '../../session/parlance.ts';
import { useConfig } from '../../session/use-me.ts';
import { DayChart } from '../../ui/charts/day-chart.tsx';
import { Select } from '../../ui/fields/index.ts';
import { Figures } from '../../ui/figures.tsx';
import { Section } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { AccountFrame } from './account-frame.tsx';
import { BudgetMeter } from './budget-meter.tsx';
import { largestFirst, recentPeriods } from './periods.ts';

const route = getRouteApi('/signed-in/account/usage');
/** The number of recently used bots that are read for their names. */
const NAMED_BOTS = 100;

const usageQuery = (period: string) => ({
  queryKey: ['my-usage', period],
  queryFn: () => parlance.usage({ period }),
  placeholderData: keepPreviousData,
});

export function UsagePage() {
  const account = useAccountMessages();
  const { common } = useMessages();
  const navigate = useNavigate();
  const periods = recentPeriods(new Date());
  const { period = periods[0]! } = route.useSearch();
  const query = useQuery(usageQuery(period));
  const options = [...new Set([...periods, period])].map((id) => ({ id, name: formatMonth(id) }));
  return (
    <AccountFrame>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Select
          label={account.period}
          value={period}
          onChange={(id) => void navigate({ to: '/account/usage', search: { period: id } })}
          options={options}
          className="min-w-48"
        />
        {query.data?.as_of && <p className="text-xs text-muted">{common.asOf(formatTime(query.data.as_of.time))}</p>}
      </div>
      <Loaded query={query}>{(usage) => <Usage usage={usage} />}</Loaded>
    </AccountFrame>
  );
}

function Usage({ usage }: { readonly usage: OwnUsage }) {
  const account = useAccountMessages();
  const { as_billed, as_corrected, input_tokens, output_tokens, budget, daily } = usage;
  return (
    <>
      <Section title={account.budget}>
        {budget === null ? <p className="text-sm text-muted">{account.noBudget}</p> : <BudgetMeter budget={budget} />}
      </Section>
      {input_tokens + output_tokens === 0 ? (
        <EmptyState title={account.noUsage} text={account.noUsageText} />
      ) : (
        <>
          <Figures
            figures={[
              {
                name: account.cost,
                value: formatMoney(as_billed),
                note: as_corrected === as_billed ? undefined : account.correctedCost(formatMoney(as_corrected)),
              },
              { name: account.inputTokens, value: formatNumber(input_tokens) },
              { name: account.outputTokens, value: formatNumber(output_tokens) },
            ]}
          />
          <section className="rounded-md border border-line bg-raised p-5 max-sm:p-4">
            <Days daily={daily} isCost={as_billed > 0} />
          </section>
          <Parts usage={usage} />
        </>
      )}
    </>
  );
}

/** Cost by day, or tokens where models cost nothing. */
function Days({ daily, isCost }: { readonly daily: OwnUsage['daily']; readonly isCost: boolean }) {
  const account = useAccountMessages();
  const seriesOf = (name: string, value: (day: OwnUsage['daily'][number]) => number) => ({
    name,
    points: daily.map((day) => ({ date: day.date, value: value(day) })),
  });
  if (isCost) {
    const series = [seriesOf(account.cost, ({ cost }) => cost)];
    return <DayChart label={account.costByDay} kind="bars" format={formatMoney} series={series} />;
  }
  const series = [
    seriesOf(account.inputTokens, ({ input_tokens }) => input_tokens),
    seriesOf(account.outputTokens, ({ output_tokens }) => output_tokens),
  ];
  return <DayChart label={account.tokensByDay} kind="bars" format={formatNumber} series={series} />;
}

function Parts({ usage: { by_model, by_bot } }: { readonly usage: OwnUsage }) {
  const account = useAccountMessages();
  const config = useConfig().data;
  const bots = useQuery({
    queryKey: ['bots', 'used'],
    queryFn: () => parlance.api.get('/bot', { query: { kind: 'mixed', limit: NAMED_BOTS } }),
    staleTime: 60_000,
    enabled: Object.keys(by_bot).length > 0,
  }).data?.bots;
  const modelName = (id: string) => config?.global_available_models.find((model) => model.id === id)?.name ?? id;
  const botName = (id: string) => bots?.find((bot) => bot.id === id)?.title ?? id;
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <CostTable label={account.byModel} name={account.model} costs={by_model} nameOf={modelName} />
      {Object.keys(by_bot).length > 0 && <CostTable label={account.byBot} name={account.bot} costs={by_bot} nameOf={botName} />}
    </div>
  );
}

interface CostTableProps {
  readonly label: string;
  readonly name: string;
  readonly costs: Readonly<Record<string, number>>;
  readonly nameOf: (id: string) => string;
}

function CostTable({ label, name, costs, nameOf }: CostTableProps) {
  const account = useAccountMessages();
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2 className="text-md font-semibold">{label}</h2>
      <Table
        label={label}
        rows={largestFirst(costs)}
        keyOf={({ id }) => id}
        columns={[
          { id: 'name', name, cell: ({ id }) => nameOf(id) },
          { id: 'cost', name: account.cost, align: 'end', cell: ({ cost }) => formatMoney(cost) },
        ]}
      />
    </section>
  );
}
