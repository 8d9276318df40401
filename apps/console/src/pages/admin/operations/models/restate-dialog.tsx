import type { Model, RestateBody } from '@parlance/client/types';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { audited, fieldErrors, formError, pollMillis } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { Select, TextField } from '../../../../ui/fields/index.ts';
import { ErrorNote, ErrorState, Loading } from '../../../../ui/states.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { instantOf, localTime } from '../../../../calendar/local-time.ts';
import { RestatementResult } from './restatement-result.tsx';

const ALL = '';

const startOfMonth = (now = new Date()): number => new Date(now.getFullYear(), now.getMonth(), 1).getTime() / 1_000;

/** First shows the difference by a dry run. The costs are corrected by a second step. */
export function RestateDialog({ models, onClose }: { readonly models: readonly Model[]; readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const { restatements, models: words } = admin.operations;
  const client = useQueryClient();
  const form = useId();
  const [from, setFrom] = useState(localTime(startOfMonth()));
  const [model, setModel] = useState(ALL);
  const [isChecked, setChecked] = useState(false);
  const instant = instantOf(from);

  const start = (dry_run: boolean) => {
    const body: RestateBody = { from: instant ?? '', model: model === ALL ? null : model, dry_run };
    return parlance.api.post('/admin/costs/restate', { body });
  };
  const reread = () => client.invalidateQueries({ queryKey: ['admin', 'restatements'] });
  const preview = useMutation({ mutationFn: () => start(true), onSuccess: reread });
  const run = useMutation({
    mutationFn: () => start(false),
    onSuccess: async () => {
      await reread();
      toast(restatements.started);
      onClose();
    },
  });
  const restatementId = preview.data?.id ?? '';
  const result = useQuery({
    ...audited,
    queryKey: ['admin', 'restatement', restatementId],
    queryFn: ({ signal }) => parlance.api.get('/admin/costs/restatements/{restatementId}', { path: { restatementId }, signal }),
    enabled: restatementId !== '',
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : pollMillis(state.dataUpdateCount)),
  });
  const finished = result.data?.status === 'completed' ? result.data : null;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (instant !== null && !preview.isPending) preview.mutate();
  };
  const errors = fieldErrors(preview.error);
  const problem = formError(preview.error);

  const footer = preview.data ? (
    <>
      <Button onPress={preview.reset}>{restatements.back}</Button>
      <Button look="primary" isDisabled={finished === null} isPending={run.isPending} onPress={() => run.mutate()}>
        {restatements.run}
      </Button>
    </>
  ) : (
    <>
      <Button onPress={onClose}>{common.cancel}</Button>
      <Button type="submit" form={form} look="primary" isPending={preview.isPending}>
        {restatements.preview}
      </Button>
    </>
  );

  return (
    <Dialog title={restatements.startTitle} isOpen onClose={onClose} size={preview.data ? 'wide' : 'normal'} footer={footer}>
      {preview.data ? (
        <>
          {run.isError && <ErrorNote error={run.error} />}
          {result.isError && <ErrorState error={result.error} onRetry={() => void result.refetch()} />}
          {finished === null && !result.isError && <Loading label={restatements.previewing} />}
          {finished && <RestatementResult restatement={finished} />}
          {finished && (
            <p role="status" className="text-sm text-muted">
              {restatements.runText}
            </p>
          )}
        </>
      ) : (
        <form id={form} onSubmit={ask} noValidate className="flex flex-col gap-4">
          <p className="text-sm text-muted">{restatements.description}</p>
          {problem !== null && <ErrorNote error={problem} />}
          <TextField
            label={restatements.from}
            type="datetime-local"
            value={from}
            onChange={setFrom}
            error={errors['from'] ?? (isChecked && instant === null ? words.fromMissing : undefined)}
          />
          <Select
            label={restatements.model}
            value={model}
            onChange={setModel}
            options={[{ id: ALL, name: restatements.allModels }, ...models.map(({ id, name }) => ({ id, name }))]}
            error={errors['model']}
          />
        </form>
      )}
    </Dialog>
  );
}
