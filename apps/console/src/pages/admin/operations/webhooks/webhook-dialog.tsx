import type { ChangeWebhookBody, CreatedWebhook, Webhook } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Switch, TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { EventTypePicker } from './event-type-picker.tsx';

type EventTypes = NonNullable<ChangeWebhookBody['event_types']>;

interface WebhookDialogProps {
  /** Null to create a webhook. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** Called with the new webhook, the only answer that contains its secret. */
  readonly onCreated?: (webhook: CreatedWebhook) => void;
}

/** Creates or changes a webhook. */
export function WebhookDialog({ webhook, onClose, onCreated }: WebhookDialogProps) {
  const { common, admin } = useAdminMessages();
  const { webhooks } = admin.operations;
  const client = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [isAll, setAll] = useState((webhook?.event_types.length ?? 0) === 0);
  const [types, setTypes] = useState<ReadonlySet<string>>(new Set(webhook?.event_types));
  const save = async () => {
    const body = { url, description, event_types: (isAll ? [] : [...types]) as EventTypes };
    const created = webhook === null ? await parlance.api.post('/admin/webhooks', { body }) : null;
    if (webhook !== null) await parlance.api.patch('/admin/webhooks/{webhookId}', { path: { webhookId: webhook.id }, body });
    await client.invalidateQueries({ queryKey: ['admin', 'webhooks'] });
    toast(webhooks.saved);
    onClose();
    if (created) onCreated?.(created);
  };
  const isAddress = URL.canParse(url) && /^https?:/.test(url);
  const needsTypes = !isAll && types.size === 0;
  return (
    <FormDialog
      title={webhook ? webhooks.editTitle : webhooks.createTitle}
      onClose={onClose}
      submitLabel={webhook ? common.save : common.create}
      onSubmit={save}
      isComplete={isAddress && !needsTypes}
    >
      {({ errorOf, isChecked }) => (
        <>
          <TextField
            label={webhooks.url}
            help={webhooks.urlHelp}
            placeholder={webhooks.urlPlaceholder}
            type="url"
            value={url}
            onChange={setUrl}
            error={errorOf('url') ?? (isChecked && !isAddress ? webhooks.urlInvalid : undefined)}
          />
          <TextField label={webhooks.descriptionField} value={description} onChange={setDescription} error={errorOf('description')} />
          <Switch isSelected={isAll} onChange={setAll}>
            {webhooks.allEvents}
          </Switch>
          {!isAll && (
            <EventTypePicker
              chosen={types}
              onChange={setTypes}
              error={errorOf('event_types') ?? (isChecked && needsTypes ? webhooks.chooseSome : undefined)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
