import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { localTime, secondsOf } from '../../../../calendar/local-time.ts';

const DAY_SECONDS = 86_400;

export function ReplayDialog({ webhookId, onClose }: { readonly webhookId: string; readonly onClose: () => void }) {
  const { admin } = useAdminMessages();
  const { webhooks } = admin.operations;
  const client = useQueryClient();
  const [from, setFrom] = useState(() => localTime(Math.floor(Date.now() / 1_000) - DAY_SECONDS));
  const [isChecked, setChecked] = useState(false);
  const seconds = secondsOf(from);
  const replay = useMutation({
    mutationFn: (since: number) => parlance.api.post('/admin/webhooks/{webhookId}/replay', { path: { webhookId }, body: { from: since } }),
    onSuccess: async () => {
      toast(webhooks.replayed);
      onClose();
      await client.invalidateQueries({ queryKey: ['admin', 'webhooks', webhookId] });
    },
  });
  const start = () => {
    setChecked(true);
    if (seconds !== undefined) replay.mutate(seconds);
  };
  const errors = fieldErrors(replay.error);
  return (
    <FormDialog
      title={webhooks.replayTitle}
      onClose={onClose}
      submitLabel={webhooks.replayStart}
      onSubmit={start}
      isPending={replay.isPending}
      error={formError(replay.error)}
      noValidate
    >
      <p className="text-sm text-muted">{webhooks.replayText}</p>
      <TextField
        label={webhooks.replayFrom}
        type="datetime-local"
        value={from}
        onChange={setFrom}
        error={errors['from'] ?? (isChecked && seconds === undefined ? webhooks.replayMissing : undefined)}
      />
    </FormDialog>
  );
}
