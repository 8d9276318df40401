import type { User } from '@parlance/client/types';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';

interface Props {
  readonly user: User;
  readonly onClose: () => void;
  readonly onRenamed: (user: User) => void;
}

export function RenameDialog({ user, onClose, onRenamed }: Props) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users;
  const [firstName, setFirstName] = useState(user.first_name);
  const [lastName, setLastName] = useState(user.last_name);
  const rename = async () => {
    onRenamed(await parlance.admin.changeUser(user.user_id, { first_name: firstName, last_name: lastName }));
    onClose();
  };
  return (
    <FormDialog title={texts.rename} onClose={onClose} submitLabel={common.save} onSubmit={rename}>
      {({ errorOf }) => (
        <>
          <TextField label={texts.firstName} isRequired autoFocus value={firstName} onChange={setFirstName} error={errorOf('first_name')} />
          <TextField label={texts.lastName} isRequired value={lastName} onChange={setLastName} error={errorOf('last_name')} />
        </>
      )}
    </FormDialog>
  );
}
