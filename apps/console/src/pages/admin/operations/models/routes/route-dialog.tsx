import type { Model, ModelRoute } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { FormDialog } from '../../../../../ui/dialogs/form-dialog.tsx';
import { NumberField, Select, TextField } from '../../../../../ui/fields/index.ts';
import { toast } from '../../../../../ui/toasts.tsx';
import { changeRead } from '../catalogue-queries.ts';
import { ModelOrder } from '../model-fields/model-order.tsx';
import {
  changeOfRoute,
  creationOfRoute,
  MOST_FALLBACKS,
  MOST_TARGETS,
  type RouteDraft,
  routeDraft,
  type RouteProblem,
  routeProblems,
  STRATEGIES,
} from './route-draft.ts';
import { Weights } from './weights.tsx';

const WHOLE = { maximumFractionDigits: 0 } as const;
const NONE: ReadonlySet<RouteProblem> = new Set();

interface RouteDialogProps {
  /** Null to add a route. */
  readonly route: ModelRoute | null;
  readonly routes: readonly ModelRoute[];
  readonly models: readonly Model[];
  readonly onClose: () => void;
}

/** Adds or changes a route. */
export function RouteDialog({ route, routes, models, onClose }: RouteDialogProps) {
  const { common, admin } = useAdminMessages();
  const { modelFields, routes: texts } = admin.operations;
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => routeDraft(route));
  const change = (part: Partial<RouteDraft>) => setDraft((now) => ({ ...now, ...part }));
  const problems = routeProblems(draft, route === null ? new Set([...models, ...routes].map(({ id }) => id)) : null);
  const save = async () => {
    await changeRead(client, modelFields.stale, () =>
      route === null
        ? parlance.api.post('/admin/routes', { body: creationOfRoute(draft) })
        : parlance.api.patch('/admin/routes/{routeId}', { path: { routeId: route.id }, body: changeOfRoute(draft), ifMatch: route.etag! }),
    );
    toast(texts.saved(draft.id));
    onClose();
  };
  return (
    <FormDialog
      title={route === null ? texts.add : texts.changeTitle(route.id)}
      onClose={onClose}
      submitLabel={route === null ? common.create : common.save}
      onSubmit={save}
      isComplete={problems.size === 0}
    >
      {({ errorOf, isChecked }) => {
        const shown = isChecked ? problems : NONE;
        const textOf = (problem: RouteProblem, text: string) => (shown.has(problem) ? text : undefined);
        return (
          <>
            {route === null && (
              <TextField
                label={texts.id}
                help={texts.idHelp}
                value={draft.id}
                onChange={(id) => change({ id })}
                error={errorOf('id') ?? textOf('id', modelFields.idInvalid) ?? textOf('idTaken', texts.idTaken)}
              />
            )}
            <Select
              label={texts.strategy}
              value={draft.strategy}
              onChange={(strategy) => change({ strategy })}
              options={STRATEGIES.map((id) => ({ id, name: texts.strategies[id] }))}
              error={errorOf('strategy')}
            />
            <ModelOrder
              label={texts.targets}
              help={texts.targetsHelp}
              value={draft.targets}
              onChange={(targets) => change({ targets })}
              models={models}
              most={MOST_TARGETS}
              error={errorOf('targets') ?? textOf('targets', texts.targetsMissing)}
            />
            {draft.strategy === 'weighted' && draft.targets.length > 1 && (
              <Weights draft={draft} models={models} onChange={change} error={textOf('weights', texts.weightsInvalid)} />
            )}
            <ModelOrder
              label={modelFields.fallbacks}
              help={texts.fallbacksHelp}
              value={draft.fallbacks}
              onChange={(fallbacks) => change({ fallbacks })}
              models={models}
              most={MOST_FALLBACKS}
              error={errorOf('fallbacks') ?? textOf('twice', texts.twice)}
            />
            <NumberField
              label={texts.retries}
              help={texts.retriesHelp}
              value={draft.retries}
              onChange={(retries) => change({ retries })}
              minValue={0}
              formatOptions={WHOLE}
              error={errorOf('retries') ?? textOf('retries', texts.retriesInvalid)}
            />
            <NumberField
              label={texts.timeout}
              help={texts.timeoutHelp}
              value={draft.timeout}
              onChange={(timeout) => change({ timeout })}
              minValue={1}
              formatOptions={WHOLE}
              error={errorOf('timeout_seconds') ?? textOf('timeout', texts.timeoutInvalid)}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
