import type { User } from '@parlance/client/types';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';

interface Props {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRenamed: (user: User) => void;
}

export function RenameDialog({ user, isOpen, onClose, onRenamed }: Props) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users;
  const [firstName, setFirstName] = useState(user.first_name);
  const [lastName, setLastName] = useState(user.last_name);
  const rename = useMutation({
    mutationFn: () => parlance.admin.changeUser(user.user_id, { first_name: firstName, last_name: lastName }),
    onSuccess: (next) => {
      onRenamed(next);
      onClose();
    },
  });
  const errors = fieldErrors(rename.error);
  return (
    <FormDialog
      title={texts.rename}
      isOpen={isOpen}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={() => rename.mutate()}
      isPending={rename.isPending}
      error={rename.error}
    >
      <TextField label={texts.firstName} isRequired autoFocus value={firstName} onChange={setFirstName} error={errors['first_name']} />
      <TextField label={texts.lastName} isRequired value={lastName} onChange={setLastName} error={errors['last_name']} />
    </FormDialog>
  );
}
