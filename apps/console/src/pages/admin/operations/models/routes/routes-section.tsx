import type { Model, ModelRoute } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { downloadCsv } from '../../../../../api/download-csv.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { CsvButton } from '../../../../../ui/csv-button.tsx';
import { ConfirmDialog } from '../../../../../ui/dialogs/confirm-dialog.tsx';
import { EmptyState, Loaded } from '../../../../../ui/states.tsx';
import { type Column, Table } from '../../../../../ui/table.tsx';
import { Tag } from '../../../../../ui/tag.tsx';
import { toast } from '../../../../../ui/toasts.tsx';
import { changeRead, routesQuery } from '../catalogue-queries.ts';
import { RouteDialog } from './route-dialog.tsx';
import { formatList } from '../../../../../messages/format.ts';

/** The routes: names that stand for several models, for calls of programs. */
export function RoutesSection({ models }: { readonly models: readonly Model[] }) {
  const { modelFields, routes } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const query = useQuery(routesQuery);
  /** The route in the dialog; null for a new one. */
  const [edited, setEdited] = useState<ModelRoute | null | undefined>(undefined);
  const [removed, setRemoved] = useState<ModelRoute | null>(null);
  const remove = async () => {
    if (removed === null) return;
    const request = { path: { routeId: removed.id }, ifMatch: removed.etag! };
    await changeRead(client, modelFields.stale, () => parlance.api.delete('/admin/routes/{routeId}', request));
    toast(routes.removed(removed.id));
  };
  const columns = useColumns(setEdited, setRemoved);
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-64 grow basis-0">
          <h2 className="text-md font-semibold">{routes.title}</h2>
          <p className="text-sm text-muted">{routes.description}</p>
        </div>
        <CsvButton onDownload={() => downloadCsv('/admin/routes', {}, 'routes.csv')} />
        <Button onPress={() => setEdited(null)}>{routes.add}</Button>
      </div>
      <Loaded query={query}>
        {(all) => (
          <>
            <Table
              label={routes.title}
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              empty={<EmptyState title={routes.emptyTitle} text={routes.emptyText} />}
            />
            {edited !== undefined && <RouteDialog route={edited} routes={all} models={models} onClose={() => setEdited(undefined)} />}
          </>
        )}
      </Loaded>
      <ConfirmDialog
        title={routes.removeTitle(removed?.id ?? '')}
        text={routes.removeText}
        confirmLabel={modelFields.remove}
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={remove}
      />
    </section>
  );
}

function useColumns(onChange: (route: ModelRoute) => void, onRemove: (route: ModelRoute) => void): readonly Column<ModelRoute>[] {
  const { models, modelFields, routes } = useAdminMessages().admin.operations;
  return [
    { id: 'id', name: routes.id, cell: ({ id }) => <code>{id}</code> },
    { id: 'strategy', name: routes.strategy, cell: ({ strategy }) => routes.strategies[strategy] },
    {
      id: 'targets',
      name: routes.targets,
      cell: ({ strategy, targets, paused }) => (
        <span className="flex flex-col items-start gap-1">
          {formatList(targets.map(({ model, weight }) => (strategy === 'weighted' ? routes.target(model, weight) : model)))}
          {paused.length > 0 && <span className="text-xs text-bad">{routes.paused(formatList(paused))}</span>}
        </span>
      ),
    },
    { id: 'fallbacks', name: modelFields.fallbacks, cell: ({ fallbacks }) => formatList(fallbacks) || '–' },
    {
      id: 'source',
      name: models.source,
      cell: ({ source }) => <Tag tone={source === 'managed' ? 'accent' : 'neutral'}>{models.modelSources[source]}</Tag>,
    },
    {
      id: 'actions',
      name: routes.actions,
      isNameHidden: true,
      align: 'end',
      cell: (route) =>
        route.read_only ? (
          <span className="text-xs text-muted">{routes.readOnly}</span>
        ) : (
          <span className="inline-flex gap-1">
            <Button size="small" look="quiet" aria-label={routes.changeTitle(route.id)} onPress={() => onChange(route)}>
              {modelFields.change}
            </Button>
            <Button size="small" look="quiet" aria-label={routes.removeOf(route.id)} onPress={() => onRemove(route)}>
              {modelFields.remove}
            </Button>
          </span>
        ),
    },
  ];
}
