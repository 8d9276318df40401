import type { KnowledgeSync, PrivateBot } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Check, Circle, LoaderCircle, RefreshCw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { formatNumber, formatTime } from '../../../messages/format.ts';
import { type Messages, useMessages } from '../../../messages/index.ts';
import { problemOf, runReason } from '../../../messages/knowledge-reason-texts.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { botQuery, isRunning, syncQuery } from '../bot-queries.ts';

const SOURCES = ['files', 'pages', 'sitemaps', 's3'] as const;

export function SyncSection({ bot }: { readonly bot: PrivateBot }) {
  const { knowledge } = useMessages().bots;
  const sync = useQuery(syncQuery(bot.id));
  const [isPending, setPending] = useState(false);
  const status = sync.data?.sync_status;
  // The header shows the run's state too.
  useEffect(() => {
    if (status !== undefined) queryClient.setQueryData(botQuery(bot.id).queryKey, (it) => it && { ...it, sync_status: status });
  }, [bot.id, status]);
  const hasSources = Object.values(bot.knowledge).some((list) => list.length > 0);

  const readAgain = async () => {
    setPending(true);
    try {
      const begun = await parlance.api.post('/bot/{botId}/knowledge/sync', { path: { botId: bot.id } });
      queryClient.setQueryData(syncQuery(bot.id).queryKey, begun);
      toast(knowledge.begun);
    } catch (error) {
      toastError(error);
    } finally {
      setPending(false);
    }
  };

  return (
    <Section
      title={knowledge.sync}
      description={knowledge.againHelp}
      actions={
        <Button isPending={isPending} isDisabled={!hasSources || isRunning(status)} onPress={() => void readAgain()}>
          <RefreshCw aria-hidden className="size-4" />
          {knowledge.again}
        </Button>
      }
    >
      <Loaded query={sync}>
        {(data) =>
          data.execution_id === null && !isRunning(data.sync_status) ? (
            <p className="text-sm text-muted">{knowledge.never}</p>
          ) : (
            <Run run={data} />
          )
        }
      </Loaded>
    </Section>
  );
}

function statusText(knowledge: Messages['bots']['knowledge'], { sync_status, warning_count, chunks_in_service }: KnowledgeSync): string {
  if (sync_status === 'SUCCEEDED' && warning_count > 0) return knowledge.succeededWithWarnings;
  if (sync_status === 'FAILED' && chunks_in_service === 0) return knowledge.firstFailed;
  return knowledge.status[sync_status];
}

function Run({ run }: { readonly run: KnowledgeSync }) {
  const { knowledge } = useMessages().bots;
  const rows = SOURCES.map((id) => ({ id, ...run.sources[id] })).filter(({ total }) => total > 0);
  const times = [
    run.start_time === null ? null : knowledge.started(formatTime(run.start_time)),
    run.end_time === null ? null : knowledge.ended(formatTime(run.end_time)),
    run.next_run_time === null ? null : knowledge.nextRun(formatTime(run.next_run_time)),
    knowledge.inService(formatNumber(run.chunks_in_service)),
  ].filter((text) => text !== null);
  return (
    <>
      <p role="status" className="text-sm">
        {statusText(knowledge, run)}
      </p>
      <ol aria-label={knowledge.steps.label} className="flex flex-wrap gap-x-5 gap-y-2">
        {run.steps.map(({ step, state }) => (
          <li key={step} className={`flex items-center gap-1.5 text-xs ${state === 'waiting' ? 'text-muted' : 'text-text'}`}>
            <StepIcon state={state} />
            {knowledge.steps[step]}
            <span className="sr-only"> ({knowledge.states[state]})</span>
          </li>
        ))}
      </ol>
      {run.reason !== '' && (
        <p className={`rounded-sm border p-3 text-sm whitespace-pre-wrap ${run.sync_status === 'FAILED' ? 'border-bad' : 'border-line'}`}>
          {runReason(run)}
        </p>
      )}
      {rows.length > 0 && (
        <Table
          label={knowledge.sources.label}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { id: 'source', name: knowledge.source, cell: ({ id }) => knowledge.sources[id] },
            { id: 'total', name: knowledge.total, align: 'end', cell: ({ total }) => formatNumber(total) },
            { id: 'done', name: knowledge.done, align: 'end', cell: ({ done }) => formatNumber(done) },
            { id: 'unchanged', name: knowledge.unchanged, align: 'end', cell: ({ unchanged }) => formatNumber(unchanged) },
            {
              id: 'failed',
              name: knowledge.failed,
              align: 'end',
              cell: ({ failed }) => <span className={failed > 0 ? 'font-medium text-bad' : ''}>{formatNumber(failed)}</span>,
            },
          ]}
        />
      )}
      {run.warnings.length > 0 && <Warnings run={run} />}
      <p className="flex flex-wrap gap-x-4 text-xs text-muted">
        {times.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </>
  );
}

/** The sources that answers cannot use, and why. */
function Warnings({ run: { warnings, warning_count: count } }: { readonly run: KnowledgeSync }) {
  const { knowledge } = useMessages().bots;
  return (
    <>
      <Table
        label={knowledge.warnings}
        rows={warnings}
        keyOf={({ source, reason }) => `${source} ${reason}`}
        columns={[
          { id: 'source', name: knowledge.warnings, cell: ({ source }) => <span className="break-all">{source}</span> },
          { id: 'reason', name: knowledge.reasonOfWarning, cell: problemOf },
        ]}
      />
      {count > warnings.length && <p className="text-xs text-muted">{knowledge.moreWarnings(formatNumber(count - warnings.length))}</p>}
    </>
  );
}

function StepIcon({ state }: { readonly state: KnowledgeSync['steps'][number]['state'] }) {
  if (state === 'done') return <Check aria-hidden className="size-4 text-ok" />;
  if (state === 'failed') return <X aria-hidden className="size-4 text-bad" />;
  if (state === 'running') return <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" />;
  return <Circle aria-hidden className="size-4" />;
}
