import type { CreatedScimToken } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../../api/query-client.ts';
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
  const [isChecked, setChecked] = useState(false);
  const creating = useMutation({
    mutationFn: () =>
      parlance.api.post('/admin/scim-tokens', { body: { description: description.trim(), expires_at: secondsOf(expires) ?? null } }),
    onSuccess: (token) => {
      onClose();
      onCreated(token);
      return client.invalidateQueries({ queryKey: ['admin', 'scim-tokens'] });
    },
  });
  const isMissing = description.trim() === '';
  const create = () => {
    setChecked(true);
    if (!isMissing) creating.mutate();
  };
  const errors = fieldErrors(creating.error);
  return (
    <FormDialog
      title={identity.createTitle}
      onClose={onClose}
      submitLabel={common.create}
      onSubmit={create}
      isPending={creating.isPending}
      error={formError(creating.error)}
      noValidate
    >
      <TextField
        label={identity.descriptionField}
        help={identity.descriptionHelp}
        value={description}
        onChange={setDescription}
        error={errors['description'] ?? (isChecked && isMissing ? identity.descriptionMissing : undefined)}
      />
      <TextField
        label={identity.expires}
        help={identity.expiresHelp}
        type="datetime-local"
        value={expires}
        onChange={setExpires}
        error={errors['expires_at']}
      />
    </FormDialog>
  );
}
