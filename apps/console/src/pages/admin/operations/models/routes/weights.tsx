import type { Model } from '@parlance/client/types';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { NumberField } from '../../../../../ui/fields/index.ts';
import { type RouteDraft, weightOf } from './route-draft.ts';

interface WeightsProps {
  readonly draft: RouteDraft;
  readonly models: readonly Model[];
  readonly onChange: (part: Pick<RouteDraft, 'weights'>) => void;
  readonly error: string | undefined;
}

/** The share of the calls that each target of a route gets. */
export function Weights({ draft, models, onChange, error }: WeightsProps) {
  const { routes } = useAdminMessages().admin.operations;
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  return (
    <div role="group" aria-label={routes.weights} className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-3">
        {draft.targets.map((model) => (
          <NumberField
            key={model}
            label={routes.weightOf(nameOf(model))}
            value={weightOf(draft, model)}
            onChange={(weight) => onChange({ weights: { ...draft.weights, [model]: weight } })}
            minValue={1}
            formatOptions={{ maximumFractionDigits: 0 }}
          />
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
