import type { ApiKey, PublicationUsage } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Section } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { keysQuery } from './keys/keys-query.ts';

/** Servers report their requests within ten seconds. */
const POLL_MILLIS = 10_000;

/** What each series counts. 3xx are answers without a new body. */
const SERIES = { ok: ['2xx', '3xx'], refused: ['4xx'], limited: ['429'], failed: ['5xx'] } as const;

export function UsageSection({ botId }: { readonly botId: string }) {
  const { publish } = useMessages().bots;
  const usage = useQuery({
    queryKey: ['bot', botId, 'publication', 'usage'],
    queryFn: () => parlance.bots.publicationUsage(botId),
    refetchInterval: POLL_MILLIS,
  });
  const keys = useQuery(keysQuery(botId));
  return (
    <Section title={publish.usage} description={publish.usageText}>
      <Loaded query={usage}>{(data) => <Usage usage={data} keys={keys.data ?? []} />}</Loaded>
    </Section>
  );
}

function Usage({ usage, keys }: { readonly usage: PublicationUsage; readonly keys: readonly ApiKey[] }) {
  const { publish } = useMessages().bots;
  const names = new Map(keys.map(({ id, description }) => [id, description]));
  const series = (Object.keys(SERIES) as (keyof typeof SERIES)[])
    .map((name) => ({
      name: publish.series[name],
      points: usage.daily.map(({ date, by_status: by }) => ({
        date,
        value: SERIES[name].reduce((sum, status) => sum + by[status as keyof typeof by], 0),
      })),
    }))
    .filter(({ points }, index) => index === 0 || points.some(({ value }) => value > 0));
  return (
    <>
      <DayChart label={publish.requests} series={series} format={formatNumber} kind="bars" />
      {usage.by_key.length > 0 && (
        <Table
          label={publish.byKey}
          rows={usage.by_key}
          keyOf={({ api_key_id: id }) => id}
          columns={[
            { id: 'key', name: publish.key, cell: ({ api_key_id: id }) => names.get(id) ?? publish.revoked },
            { id: 'requests', name: publish.requestCount, align: 'end', cell: ({ request_count: count }) => formatNumber(count) },
            { id: 'limited', name: publish.series.limited, align: 'end', cell: ({ by_status: by }) => formatNumber(by['429']) },
            { id: 'failed', name: publish.series.failed, align: 'end', cell: ({ by_status: by }) => formatNumber(by['5xx']) },
            {
              id: 'quota',
              name: publish.quotaUsed,
              align: 'end',
              cell: ({ quota }) => (quota ? publish.quotaOf(formatNumber(quota.used), formatNumber(quota.limit)) : '–'),
            },
          ]}
        />
      )}
    </>
  );
}
