import { useMessages } from '../../../messages/index.ts';
import { NumberField, Select, Switch, TextField } from '../../../ui/fields/index.ts';
import type { Limits } from './limits.ts';

const PERIODS = ['DAY', 'WEEK', 'MONTH'] as const;

interface LimitFieldsProps {
  readonly limits: Limits;
  readonly change: (part: Partial<Limits>) => void;
  readonly errors: Readonly<Record<string, string>>;
}

export function LimitFields({ limits, change, errors }: LimitFieldsProps) {
  const { publish } = useMessages().bots;
  /** An empty number keeps its earlier value. */
  const number = (name: 'limit' | 'offset' | 'rate' | 'burst') => (value: number) => Number.isNaN(value) || change({ [name]: value });
  const ofOrigins = Object.entries(errors).find(([path]) => path.startsWith('allowed_origins'))?.[1];
  return (
    <>
      <TextField
        label={publish.origins}
        help={publish.originsHelp}
        value={limits.origins}
        onChange={(origins) => change({ origins })}
        error={ofOrigins}
        rows={2}
      />
      <Switch isSelected={limits.hasQuota} onChange={(hasQuota) => change({ hasQuota })}>
        {publish.quota}
      </Switch>
      {limits.hasQuota && (
        <div className="grid grid-cols-3 items-end gap-3 max-sm:grid-cols-1">
          <NumberField
            label={publish.quotaLimit}
            value={limits.limit}
            minValue={1}
            onChange={number('limit')}
            error={errors['quota.limit']}
          />
          <Select
            label={publish.quotaPeriod}
            value={limits.period}
            onChange={(period) => change({ period })}
            options={PERIODS.map((id) => ({ id, name: publish.periods[id] }))}
            error={errors['quota.period']}
          />
          <NumberField
            label={publish.quotaOffset}
            value={limits.offset}
            minValue={0}
            onChange={number('offset')}
            error={errors['quota.offset']}
          />
        </div>
      )}
      <div role="group" aria-label={publish.throttle} className="grid grid-cols-3 items-end gap-3 max-sm:grid-cols-1">
        <NumberField
          label={publish.rate}
          value={limits.rate}
          minValue={0.001}
          onChange={number('rate')}
          error={errors['throttle.rate_limit']}
        />
        <NumberField
          label={publish.burst}
          value={limits.burst}
          minValue={1}
          onChange={number('burst')}
          error={errors['throttle.burst_limit']}
        />
      </div>
    </>
  );
}
