import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
  const seconds = secondsOf(from);
  const replay = async () => {
    if (seconds === undefined) return;
    await parlance.api.post('/admin/webhooks/{webhookId}/replay', { path: { webhookId }, body: { from: seconds } });
    toast(webhooks.replayed);
    onClose();
    await client.invalidateQueries({ queryKey: ['admin', 'webhooks', webhookId] });
  };
  return (
    <FormDialog
      title={webhooks.replayTitle}
      onClose={onClose}
      submitLabel={webhooks.replayStart}
      onSubmit={replay}
      isComplete={seconds !== undefined}
    >
      {({ errorOf, isChecked }) => (
        <>
          <p className="text-sm text-muted">{webhooks.replayText}</p>
          <TextField
            label={webhooks.replayFrom}
            type="datetime-local"
            value={from}
            onChange={setFrom}
            error={errorOf('from') ?? (isChecked && seconds === undefined ? webhooks.replayMissing : undefined)}
          />
        </>
      )}
    </FormDialog>
  );
}
