import type { ModelProvider } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { downloadCsv } from '../../../../../api/download-csv.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatList, formatNumber, formatTime } from '../../../../../messages/format.ts';
import { CsvButton } from '../../../../../ui/csv-button.tsx';
import { Loaded } from '../../../../../ui/states.tsx';
import { type Column, Table } from '../../../../../ui/table.tsx';
import { Tag } from '../../../../../ui/tag.tsx';
import { providersQuery } from '../catalogue-queries.ts';
import { ProviderActions } from './provider-actions.tsx';

/** The providers of models, with their actions. */
export function ProvidersSection() {
  const { providers } = useAdminMessages().admin.operations;
  const query = useQuery(providersQuery);
  const columns = useColumns();
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-64 grow basis-0">
          <h2 className="text-md font-semibold">{providers.title}</h2>
          <p className="text-sm text-muted">{providers.description}</p>
        </div>
        <CsvButton onDownload={() => downloadCsv('/admin/providers', {}, 'providers.csv')} />
      </div>
      <Loaded query={query}>{(all) => <Table label={providers.title} columns={columns} rows={all} keyOf={({ id }) => id} />}</Loaded>
    </section>
  );
}

function useColumns(): readonly Column<ModelProvider>[] {
  const { providers } = useAdminMessages().admin.operations;
  return [
    {
      id: 'id',
      name: providers.id,
      cell: ({ id, type }) => (
        <span className="flex min-w-40 flex-col">
          <code className="font-medium">{id}</code>
          <span className="text-xs text-muted">{providers.types[type]}</span>
        </span>
      ),
    },
    {
      id: 'address',
      name: providers.address,
      cell: ({ base_url, region }) =>
        formatList([base_url, region].filter((part) => part !== null)) || <span className="text-muted">{providers.defaultAddress}</span>,
    },
    {
      id: 'source',
      name: providers.source,
      cell: ({ source, read_only }) => (
        <span className="flex min-w-40 flex-col items-start gap-1">
          <Tag tone={source === 'managed' ? 'accent' : 'neutral'}>{providers.sources[source]}</Tag>
          {read_only && source === 'configuration' && <span className="text-xs text-muted">{providers.readOnly}</span>}
        </span>
      ),
    },
    { id: 'credentials', name: providers.credentials, cell: (provider) => <Credentials provider={provider} /> },
    { id: 'breaker', name: providers.breaker, cell: ({ breaker }) => <Breaker breaker={breaker} /> },
    { id: 'models', name: providers.models, align: 'end', cell: ({ models }) => formatNumber(models) },
    {
      id: 'actions',
      name: providers.actionsColumn,
      isNameHidden: true,
      align: 'end',
      cell: (provider) => <ProviderActions provider={provider} />,
    },
  ];
}

function Credentials({ provider: { available, has_api_key, has_access_key, source } }: { readonly provider: ModelProvider }) {
  const { providers } = useAdminMessages().admin.operations;
  if (!available) {
    return (
      <span className="flex min-w-40 flex-col items-start gap-1">
        <Tag tone="warn">{providers.noCredentials}</Tag>
        <span className="text-xs text-muted">{providers.whyMissing[source]}</span>
      </span>
    );
  }
  return <Tag tone="ok">{has_api_key || has_access_key ? providers.hasCredentials : providers.needsNone}</Tag>;
}

const TONES = { closed: 'ok', open: 'bad', half_open: 'warn' } as const;

/** Whether the provider is called, or is left alone after failures. */
function Breaker({ breaker }: { readonly breaker: ModelProvider['breaker'] }) {
  const { providers } = useAdminMessages().admin.operations;
  if (breaker === null) return <span className="text-muted">–</span>;
  return (
    <span className="flex min-w-32 flex-col items-start gap-1">
      <Tag tone={TONES[breaker.state]}>{providers.breakers[breaker.state]}</Tag>
      {breaker.since !== null && <span className="text-xs text-muted">{providers.breakerSince(formatTime(breaker.since))}</span>}
    </span>
  );
}
