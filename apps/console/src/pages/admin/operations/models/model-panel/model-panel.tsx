import type { Model } from '@parlance/client/types';
import { formatList, formatPrice, formatNumber, formatTime } from '../../../../../messages/format.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { Facts } from '../../../../../ui/facts.tsx';
import { SidePanel } from '../../../../../ui/dialogs/side-panel.tsx';
import { type Column, Table } from '../../../../../ui/table.tsx';
import { Tag } from '../../../../../ui/tag.tsx';
import { namesOfCapabilities } from '../capability-names.ts';
import { ModelTest } from '../model-test.tsx';
import { ModelActions } from './model-actions.tsx';
import { PriceForm } from './price-form.tsx';

type Price = Model['prices'][number];

/** A model with all its prices, newest first, and the form to add one. */
export function ModelPanel({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const { models, modelFields } = useAdminMessages().admin.operations;
  const { price: current } = model;
  const columns: readonly Column<Price>[] = [
    {
      id: 'from',
      name: models.from,
      cell: (price) => (
        <span className="flex flex-col items-start gap-1 whitespace-nowrap">
          {formatTime(price.from)}
          {current && isSame(price, current) && <Tag tone="ok">{models.now}</Tag>}
          {Date.parse(price.from) > Date.now() && <Tag tone="accent">{models.later}</Tag>}
        </span>
      ),
    },
    { id: 'input', name: models.input, align: 'end', cell: ({ input }) => formatPrice(input) },
    { id: 'output', name: models.output, align: 'end', cell: ({ output }) => formatPrice(output) },
    { id: 'cache-read', name: models.cacheRead, align: 'end', cell: ({ cache_read }) => formatPrice(cache_read) },
    { id: 'cache-write', name: models.cacheWrite, align: 'end', cell: ({ cache_write }) => formatPrice(cache_write) },
    { id: 'cache-write-hour', name: models.cacheWriteHour, align: 'end', cell: ({ cache_write_1h }) => formatPrice(cache_write_1h) },
    {
      id: 'web-search',
      name: models.webSearch,
      align: 'end',
      cell: ({ web_search }) => (web_search === null ? '–' : formatPrice(web_search)),
    },
    { id: 'source', name: models.source, cell: ({ source }) => models.sources[source] },
  ];
  return (
    <SidePanel title={model.name} isOpen onClose={onClose}>
      <Facts
        facts={[
          [models.model, <code key="id">{model.id}</code>],
          [models.provider, `${model.provider} (${model.model})`],
          [models.context, models.tokens(formatNumber(model.context_window))],
          [models.fallbacks, formatList(model.fallbacks)],
          [models.source, models.modelSources[model.source]],
          [models.capabilities, namesOfCapabilities(model.capabilities, modelFields.capabilityNames)],
        ]}
      />
      <ModelActions model={model} />
      <ModelTest key={model.id} model={model} />
      <Table
        label={models.pricesOf(model.name)}
        columns={columns}
        rows={[...model.prices].reverse()}
        keyOf={({ from, source }) => `${from} ${source}`}
        empty={<p className="text-sm text-muted">{models.noPrices}</p>}
      />
      <PriceForm key={model.prices.length} model={model} />
    </SidePanel>
  );
}

const isSame = (one: Price, other: Price): boolean => one.from === other.from && one.source === other.source;
