import type { ApiKey } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../../messages/index.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CopyButton } from '../../../../ui/copy-button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { bodyOf, dateOf, expiryOf, NEW_KEY } from './key-form.ts';

interface KeyDialogProps {
  readonly botId: string;
  /** The key to change; null for a new one. */
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates or changes a key. A new key is shown here, once. */
export function KeyDialog({ botId, apiKey, onClose, onSaved }: KeyDialogProps) {
  const { common, bots } = useMessages();
  const { publish } = bots;
  const [fields, setFields] = useState(
    apiKey ? { description: apiKey.description, expiry: dateOf(apiKey.expires_at), ranges: '' } : NEW_KEY,
  );
  const [value, setValue] = useState<string | null>(null);
  const save = async () => {
    if (apiKey) {
      // Only the day is shown, so the time of day at which a key expires is kept unless the day changes.
      const isMoved = fields.expiry !== dateOf(apiKey.expires_at);
      const body = { description: fields.description.trim(), ...(isMoved && { expires_at: expiryOf(fields.expiry) }) };
      await parlance.api.patch('/bot/{botId}/publication/api-key/{keyId}', { path: { botId, keyId: apiKey.id }, body });
      toast(publish.keyChanged);
      onClose();
    } else setValue((await parlance.bots.createKey(botId, bodyOf(fields))).value);
    onSaved();
  };

  if (value !== null)
    return (
      <Dialog
        title={publish.keyCreated}
        isOpen
        onClose={onClose}
        footer={
          <Button look="primary" onPress={onClose}>
            {publish.keyDone}
          </Button>
        }
      >
        <p className="text-sm">{publish.keyOnce}</p>
        <TextField label={publish.key} value={value} isReadOnly autoFocus rows={3} />
        <div>
          <CopyButton text={value} label={publish.copyKey} />
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={apiKey ? publish.changeKeyTitle : publish.newKey}
      onClose={onClose}
      submitLabel={apiKey ? common.save : publish.createKey}
      onSubmit={save}
    >
      {({ errorOf }) => (
        <>
          <TextField
            label={publish.description}
            help={publish.descriptionHelp}
            value={fields.description}
            onChange={(description) => setFields({ ...fields, description })}
            error={errorOf('description')}
            maxLength={200}
            isRequired
            autoFocus
            autoComplete="off"
          />
          <TextField
            label={publish.expiry}
            help={publish.expiryHelp}
            type="date"
            value={fields.expiry}
            onChange={(expiry) => setFields({ ...fields, expiry })}
            error={errorOf('expires_at')}
          />
          {!apiKey && (
            <TextField
              label={publish.ranges}
              help={publish.rangesHelp}
              value={fields.ranges}
              onChange={(ranges) => setFields({ ...fields, ranges })}
              error={errorOf('allowed_ip_ranges')}
              rows={2}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
