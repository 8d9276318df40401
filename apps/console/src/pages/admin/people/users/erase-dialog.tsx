import type { ErasureReceipt, User } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';

interface Props {
  readonly user: User;
  readonly onClose: () => void;
  readonly onErased: (receipt: ErasureReceipt) => void;
}

/** Erases a user after their e-mail address has been typed as a confirmation, because this cannot be undone. */
export function EraseDialog({ user, onClose, onErased }: Props) {
  const texts = useAdminMessages().admin.people.users;
  const cache = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = async () => {
    onErased(await parlance.admin.eraseUser(user.user_id));
    void cache.invalidateQueries({ queryKey: ['admin', 'users', 'list'] });
  };
  const isSame = typed.trim().toLowerCase() === user.email.toLowerCase();
  return (
    <FormDialog
      title={texts.eraseTitle(user.email)}
      onClose={onClose}
      submitLabel={texts.eraseForever}
      onSubmit={erase}
      isDisabled={!isSame}
      look="danger"
    >
      <p>{texts.eraseText}</p>
      <TextField label={texts.eraseConfirm} placeholder={user.email} autoComplete="off" value={typed} onChange={setTyped} autoFocus />
    </FormDialog>
  );
}
