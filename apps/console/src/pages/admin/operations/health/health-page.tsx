import type { Health, ServiceHealth } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { formatList, formatBytes, formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Page } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { healthQuery } from '../../health-query.ts';
import { DeadLettersDialog } from './dead-letters-dialog.tsx';

const POLL_MILLIS = 5_000;

const TONES = { ok: 'ok', up: 'ok', degraded: 'warn', unreachable: 'bad', down: 'bad', unknown: 'neutral' } as const;

export function HealthPage() {
  const { health } = useAdminMessages().admin.operations;
  const [service, setService] = useState<ServiceHealth['name'] | null>(null);
  const query = useQuery({ ...healthQuery, refetchInterval: POLL_MILLIS });
  return (
    <Page title={health.title} description={health.description} isWide>
      <Loaded query={query}>
        {(data) => (
          <>
            <Verdict health={data} isStale={query.isError} />
            <Services services={data.services} onDeadLetters={setService} />
            <Stores health={data} />
          </>
        )}
      </Loaded>
      {service && <DeadLettersDialog service={service} onClose={() => setService(null)} />}
    </Page>
  );
}

/** Changes without user input, so screen readers announce it. */
function Verdict({ health: { services, broker, stores }, isStale }: { readonly health: Health; readonly isStale: boolean }) {
  const { health } = useAdminMessages().admin.operations;
  const bad =
    services.filter(({ status }) => status !== 'ok').length +
    stores.filter(({ status }) => status === 'down').length +
    (broker.status === 'up' ? 0 : 1);
  const Icon = bad === 0 && !isStale ? CircleCheck : CircleAlert;
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-medium">
      <Icon aria-hidden className={`size-5 ${isStale ? 'text-bad' : bad === 0 ? 'text-ok' : 'text-warn'}`} />
      {isStale ? health.stale : bad === 0 ? health.allWell : health.notWell(bad)}
    </p>
  );
}

interface ServicesProps {
  readonly services: readonly ServiceHealth[];
  readonly onDeadLetters: (service: ServiceHealth['name']) => void;
}

function Services({ services, onDeadLetters }: ServicesProps) {
  const { health } = useAdminMessages().admin.operations;
  const count = (n: number | null) => (n === null ? <NotKnown /> : formatNumber(n));
  const columns: readonly Column<ServiceHealth>[] = [
    { id: 'service', name: health.service, cell: ({ name }) => <span className="font-medium whitespace-nowrap">{name}</span> },
    {
      id: 'status',
      name: health.status,
      cell: ({ status, building, stopped, silent_replicas: silent }) => (
        <span className="flex flex-col items-start gap-1">
          <Tag tone={TONES[status]}>{health.statuses[status]}</Tag>
          {building !== null && building.length > 0 && <span className="text-xs text-muted">{health.building(formatList(building))}</span>}
          {stopped !== null && stopped.length > 0 && <span className="text-xs text-bad">{health.stopped(formatList(stopped))}</span>}
          {silent !== null && silent.length > 0 && <span className="text-xs text-bad">{health.silent(formatList(silent))}</span>}
        </span>
      ),
    },
    { id: 'version', name: health.version, cell: ({ version }) => version ?? <NotKnown /> },
    { id: 'replicas', name: health.replicas, align: 'end', cell: ({ replicas }) => count(replicas) },
    {
      id: 'lag',
      name: health.lag,
      align: 'end',
      cell: ({ lag_seconds }) => (lag_seconds === null ? <NotKnown /> : health.seconds(Math.round(lag_seconds))),
    },
    { id: 'behind', name: health.behind, align: 'end', cell: ({ events_behind }) => count(events_behind) },
    { id: 'parked', name: health.parked, align: 'end', cell: ({ parked }) => count(parked) },
    {
      id: 'dead-letters',
      name: health.deadLetters,
      align: 'end',
      cell: ({ name, dead_letters }) =>
        dead_letters === null || dead_letters === 0 ? (
          count(dead_letters)
        ) : (
          <button
            type="button"
            onClick={() => onDeadLetters(name)}
            aria-label={health.showDeadLetters(formatNumber(dead_letters), name)}
            className="min-h-8 cursor-pointer font-medium text-bad underline max-sm:min-h-11"
          >
            {formatNumber(dead_letters)}
          </button>
        ),
    },
  ];
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-md font-semibold">{health.services}</h2>
      <Table label={health.services} columns={columns} rows={services} keyOf={({ name }) => name} />
    </section>
  );
}

interface Part {
  readonly name: string;
  readonly status: 'up' | 'down' | 'unknown';
  readonly latency_ms: number | null;
  readonly bytes: number | null;
  readonly since: number | null;
}

function Stores({ health: { broker, stores } }: { readonly health: Health }) {
  const { health } = useAdminMessages().admin.operations;
  const parts: readonly Part[] = [
    { ...broker, name: health.broker },
    ...stores.map((store) => ({
      ...store,
      name: store.kind === 'database' ? health.storeOf(store.service) : health.objectStoreOf(store.service),
    })),
  ];
  const columns: readonly Column<Part>[] = [
    { id: 'part', name: health.part, cell: ({ name }) => <span className="font-medium whitespace-nowrap">{name}</span> },
    { id: 'status', name: health.status, cell: ({ status }) => <Tag tone={TONES[status]}>{health.statuses[status]}</Tag> },
    {
      id: 'since',
      name: health.since,
      cell: ({ since }) => (since === null ? <NotKnown /> : <span className="whitespace-nowrap">{formatTime(since)}</span>),
    },
    {
      id: 'latency',
      name: health.latency,
      align: 'end',
      cell: ({ latency_ms }) => (latency_ms === null ? <NotKnown /> : health.milliseconds(Math.round(latency_ms))),
    },
    { id: 'size', name: health.size, align: 'end', cell: ({ bytes }) => (bytes === null ? <NotKnown /> : formatBytes(bytes)) },
  ];
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-md font-semibold">{health.storesAndBroker}</h2>
      <Table label={health.storesAndBroker} columns={columns} rows={parts} keyOf={({ name }) => name} />
    </section>
  );
}

/** Shown for values that this service does not report. */
function NotKnown() {
  const { health } = useAdminMessages().admin.operations;
  return (
    <span className="text-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">{health.unknown}</span>
    </span>
  );
}
