import type { Publication } from '@parlance/client/types';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../api/form-errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatList, formatNumber } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { publicationQuery } from '../bot-queries.ts';
import { LimitFields } from './limit-fields.tsx';
import { bodyOf, type Limits, limitsOf } from './limits.ts';

interface LimitsSectionProps {
  readonly botId: string;
  readonly publication: Publication;
}

export function LimitsSection({ botId, publication }: LimitsSectionProps) {
  const { common, bots } = useMessages();
  const { publish } = bots;
  const [limits, setLimits] = useState<Limits | null>(null);
  const {
    isPending,
    error,
    send: save,
    forgetError,
  } = useSending(async () => {
    if (limits === null) return;
    const changed = await parlance.bots.changePublication(botId, bodyOf(limits));
    queryClient.setQueryData(publicationQuery(botId).queryKey, changed);
    toast(publish.limitsSaved);
    close();
  });
  const close = () => {
    setLimits(null);
    forgetError();
  };

  return (
    <Section
      title={publish.limits}
      description={publish.limitsText}
      actions={limits === null && <Button onPress={() => setLimits(limitsOf(publication))}>{publish.changeLimits}</Button>}
    >
      {limits === null ? (
        <Shown publication={publication} />
      ) : (
        <form onSubmit={save} className="flex flex-col gap-3" noValidate>
          <LimitFields limits={limits} change={(part) => setLimits({ ...limits, ...part })} errors={fieldErrors(error)} />
          {formError(error) !== null && <ErrorNote error={formError(error)} />}
          <div className="flex justify-end gap-2">
            <Button onPress={close}>{common.cancel}</Button>
            <Button type="submit" look="primary" isPending={isPending}>
              {publish.saveLimits}
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}

function Shown({ publication: { allowed_origins: origins, quota, throttle } }: { readonly publication: Publication }) {
  const { publish } = useMessages().bots;
  const rows = [
    { name: publish.origins, value: formatList(origins) },
    { name: publish.quota, value: quota ? publish.quotaShown(formatNumber(quota.limit), publish.periods[quota.period]) : publish.noLimit },
    {
      name: publish.throttle,
      value: throttle ? publish.throttleShown(formatNumber(throttle.rate_limit), formatNumber(throttle.burst_limit)) : publish.noLimit,
    },
  ];
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-x-6 gap-y-2 text-sm max-sm:grid-cols-1">
      {rows.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="max-sm:mb-2">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
