import type { CreatedScimToken } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { secondsOf } from '../../../../calendar/local-time.ts';

interface TokenDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (token: CreatedScimToken) => void;
}

export function TokenDialog({ onClose, onCreated }: TokenDialogProps) {
  const { common, admin } = useAdminMessages();
  const { identity } = admin.operations;
  const client = useQueryClient();
  const [description, setDescription] = useState('');
  const [expires, setExpires] = useState('');
  const create = async () => {
    const body = { description: description.trim(), expires_at: secondsOf(expires) ?? null };
    const token = await parlance.api.post('/admin/scim-tokens', { body });
    onClose();
    onCreated(token);
    await client.invalidateQueries({ queryKey: ['admin', 'scim-tokens'] });
  };
  const isMissing = description.trim() === '';
  return (
    <FormDialog title={identity.createTitle} onClose={onClose} submitLabel={common.create} onSubmit={create} isComplete={!isMissing}>
      {({ errorOf, isChecked }) => (
        <>
          <TextField
            label={identity.descriptionField}
            help={identity.descriptionHelp}
            value={description}
            onChange={setDescription}
            error={errorOf('description') ?? (isChecked && isMissing ? identity.descriptionMissing : undefined)}
          />
          <TextField
            label={identity.expires}
            help={identity.expiresHelp}
            type="datetime-local"
            value={expires}
            onChange={setExpires}
            error={errorOf('expires_at')}
          />
        </>
      )}
    </FormDialog>
  );
}
