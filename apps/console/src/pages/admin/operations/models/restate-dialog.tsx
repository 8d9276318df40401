import type { Model, RestateBody } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { audited, pollMillis } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Select, TextField } from '../../../../ui/fields/index.ts';
import { ErrorState, Loading } from '../../../../ui/states.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { instantOf, localTime } from '../../../../calendar/local-time.ts';
import { RestatementResult } from './restatement-result.tsx';

const ALL = '';

const startOfMonth = (now = new Date()): number => new Date(now.getFullYear(), now.getMonth(), 1).getTime() / 1_000;

/** First shows the difference with a dry run. A second step corrects the costs. */
export function RestateDialog({ models, onClose }: { readonly models: readonly Model[]; readonly onClose: () => void }) {
  const { restatements, models: words } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const [from, setFrom] = useState(localTime(startOfMonth()));
  const [model, setModel] = useState(ALL);
  const [restatementId, setRestatementId] = useState<string | null>(null);
  const instant = instantOf(from);

  const start = (dry_run: boolean) => {
    const body: RestateBody = { from: instant ?? '', model: model === ALL ? null : model, dry_run };
    return parlance.api.post('/admin/costs/restate', { body });
  };
  const reread = () => client.invalidateQueries({ queryKey: ['admin', 'restatements'] });
  const preview = async () => {
    const { id } = await start(true);
    await reread();
    setRestatementId(id);
  };
  const run = async () => {
    await start(false);
    await reread();
    toast(restatements.started);
    onClose();
  };
  const result = useQuery({
    ...audited,
    queryKey: ['admin', 'restatement', restatementId],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/costs/restatements/{restatementId}', { path: { restatementId: restatementId! }, signal }),
    enabled: restatementId !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : pollMillis(state.dataUpdateCount)),
  });
  const finished = result.data?.status === 'completed' ? result.data : null;

  if (restatementId !== null)
    return (
      <FormDialog
        key="result"
        title={restatements.startTitle}
        onClose={onClose}
        submitLabel={restatements.run}
        onSubmit={run}
        isDisabled={finished === null}
        back={{ label: restatements.back, onPress: () => setRestatementId(null) }}
        size="wide"
      >
        {result.isError && <ErrorState error={result.error} onRetry={() => void result.refetch()} />}
        {finished === null && !result.isError && <Loading label={restatements.previewing} />}
        {finished && <RestatementResult restatement={finished} />}
        {finished && (
          <p role="status" className="text-sm text-muted">
            {restatements.runText}
          </p>
        )}
      </FormDialog>
    );
  return (
    <FormDialog
      key="choice"
      title={restatements.startTitle}
      onClose={onClose}
      submitLabel={restatements.preview}
      onSubmit={preview}
      isComplete={instant !== null}
    >
      {({ errorOf, isChecked }) => (
        <>
          <p className="text-sm text-muted">{restatements.description}</p>
          <TextField
            label={restatements.from}
            type="datetime-local"
            value={from}
            onChange={setFrom}
            error={errorOf('from') ?? (isChecked && instant === null ? words.fromMissing : undefined)}
          />
          <Select
            label={restatements.model}
            value={model}
            onChange={setModel}
            options={[{ id: ALL, name: restatements.allModels }, ...models.map(({ id, name }) => ({ id, name }))]}
            error={errorOf('model')}
          />
        </>
      )}
    </FormDialog>
  );
}
