import type { Model } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { formatPrice, formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button, LinkButton } from '../../../../ui/button.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { namesOfCapabilities } from './capability-names.ts';
import { modelsQuery } from './catalogue-queries.ts';
import { AccessPanel } from './model-panel/access-panel.tsx';
import { ModelPanel } from './model-panel/model-panel.tsx';
import { ProvidersSection } from './providers/providers-section.tsx';
import { RoutesSection } from './routes/routes-section.tsx';
import { Restatements } from './restatements.tsx';

/** The page that connects a model. */
const CONNECT = '/admin/models/connect';

export function ModelsPage() {
  const { connect, models } = useAdminMessages().admin.operations;
  const [shown, setShown] = useState<Shown | null>(null);
  const query = useQuery(modelsQuery);
  const model = query.data?.models.find(({ id }) => id === shown?.id);
  const columns = useColumns(setShown);
  return (
    <Page
      title={models.title}
      description={models.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/models', {}, 'models.csv')} />
          <LinkButton look="primary" href={CONNECT}>
            <Plus aria-hidden className="size-4" />
            {connect.button}
          </LinkButton>
        </>
      }
    >
      <Loaded query={query}>
        {(data) => (
          <>
            <Table
              label={models.title}
              columns={columns}
              rows={data.models}
              keyOf={({ id }) => id}
              empty={
                <EmptyState
                  title={models.emptyTitle}
                  text={models.emptyText}
                  action={<LinkButton href={CONNECT}>{connect.button}</LinkButton>}
                />
              }
            />
            <ProvidersSection />
            <RoutesSection models={data.models} />
            <Restatements models={data.models} />
          </>
        )}
      </Loaded>
      {model && shown?.part === 'details' && <ModelPanel model={model} onClose={() => setShown(null)} />}
      {model && shown?.part === 'access' && <AccessPanel model={model} onClose={() => setShown(null)} />}
    </Page>
  );
}

/** The opened panel of a model. */
interface Shown {
  readonly id: string;
  readonly part: 'details' | 'access';
}

function useColumns(onShow: (shown: Shown) => void): readonly Column<Model>[] {
  const { models, modelFields } = useAdminMessages().admin.operations;
  return [
    {
      id: 'model',
      name: models.model,
      cell: ({ id, name, capabilities }) => (
        <span className="flex min-w-64 flex-col">
          <span className="font-medium">{name}</span>
          <code className="text-xs text-muted">{id}</code>
          <span className="text-xs text-muted">{namesOfCapabilities(capabilities, modelFields.capabilityNames)}</span>
        </span>
      ),
    },
    {
      id: 'provider',
      name: models.provider,
      cell: ({ provider, source }) => (
        <span className="flex flex-col items-start gap-1">
          {provider}
          {source === 'managed' && <Tag tone="accent">{models.modelSources.managed}</Tag>}
        </span>
      ),
    },
    {
      id: 'state',
      name: models.state,
      cell: ({ available }) => <Tag tone={available ? 'ok' : 'neutral'}>{available ? models.available : models.unavailable}</Tag>,
    },
    { id: 'context', name: models.context, align: 'end', cell: ({ context_window }) => formatNumber(context_window) },
    {
      id: 'input',
      name: models.input,
      align: 'end',
      cell: ({ price }) => (price ? formatPrice(price.input) : <span className="text-muted">{models.free}</span>),
    },
    { id: 'output', name: models.output, align: 'end', cell: ({ price }) => price && formatPrice(price.output) },
    {
      id: 'details',
      name: models.details,
      isNameHidden: true,
      align: 'end',
      cell: ({ id, name }) => (
        <span className="inline-flex gap-1">
          <Button size="small" look="quiet" aria-label={models.access.buttonOf(name)} onPress={() => onShow({ id, part: 'access' })}>
            {models.access.button}
          </Button>
          <Button size="small" look="quiet" aria-label={models.detailsOf(name)} onPress={() => onShow({ id, part: 'details' })}>
            {models.details}
          </Button>
        </span>
      ),
    },
  ];
}
