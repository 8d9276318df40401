import type { PricedModel } from '@parlance/client/types';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { formatList, formatNumber, formatPrice } from '../../../messages/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';

interface Props {
  readonly models: readonly PricedModel[];
  readonly onUse: (id: string) => void;
}

/** The models that programs may call, with their prices and abilities. */
export function ModelsSection({ models, onUse }: Props) {
  const { api: texts } = useAccountMessages();
  const columns: readonly Column<PricedModel>[] = [
    {
      id: 'model',
      name: texts.model,
      cell: ({ id, name, capabilities }) => (
        <span className="flex min-w-48 flex-col">
          <span className="font-medium">{name}</span>
          <code className="text-xs break-all text-muted">{id}</code>
          <span className="text-xs text-muted">{formatList(capabilities).replaceAll('_', ' ')}</span>
        </span>
      ),
    },
    {
      id: 'endpoints',
      name: texts.endpoints,
      cell: ({ endpoints }) => (
        <span className="flex flex-col font-mono text-xs">
          {endpoints.map((endpoint) => (
            <span key={endpoint} className="whitespace-nowrap">
              /v1/{endpoint}
            </span>
          ))}
        </span>
      ),
    },
    { id: 'context', name: texts.context, align: 'end', cell: ({ context_window }) => formatNumber(context_window) },
    {
      id: 'input',
      name: texts.input,
      align: 'end',
      cell: ({ price }) =>
        price ? (
          <>
            {formatPrice(price.input)}
            {price.cache_read !== price.input && (
              <span className="block text-xs text-muted">{texts.cached(formatPrice(price.cache_read))}</span>
            )}
          </>
        ) : (
          <span className="text-muted">{texts.free}</span>
        ),
    },
    { id: 'output', name: texts.output, align: 'end', cell: ({ price }) => price && formatPrice(price.output) },
    {
      id: 'use',
      name: texts.use,
      isNameHidden: true,
      align: 'end',
      cell: ({ id, name }) => (
        <Button size="small" look="quiet" aria-label={texts.useOf(name)} onPress={() => onUse(id)}>
          {texts.use}
        </Button>
      ),
    },
  ];
  return (
    <Section title={texts.models} description={texts.modelsText}>
      <Table
        label={texts.models}
        columns={columns}
        rows={models}
        keyOf={({ id }) => id}
        empty={<EmptyState title={texts.noModels} text={texts.noModelsText} />}
      />
    </Section>
  );
}
