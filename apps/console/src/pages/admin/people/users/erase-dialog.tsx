import type { ErasureReceipt, User } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';

interface Props {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onErased: (receipt: ErasureReceipt) => void;
}

/** Erases a user once their e-mail address has been typed, because it cannot be undone. */
export function EraseDialog({ user, isOpen, onClose, onErased }: Props) {
  const texts = useAdminMessages().admin.people.users;
  const cache = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () => parlance.admin.eraseUser(user.user_id),
    onSuccess: (receipt) => {
      onErased(receipt);
      void cache.invalidateQueries({ queryKey: ['admin', 'users', 'list'] });
    },
  });
  const isSame = typed.trim().toLowerCase() === user.email.toLowerCase();
  return (
    <FormDialog
      title={texts.eraseTitle(user.email)}
      isOpen={isOpen}
      onClose={onClose}
      submitLabel={texts.eraseForever}
      onSubmit={() => erase.mutate()}
      isPending={erase.isPending}
      isDisabled={!isSame}
      look="danger"
      error={erase.error}
    >
      <p>{texts.eraseText}</p>
      <TextField label={texts.eraseConfirm} placeholder={user.email} autoComplete="off" value={typed} onChange={setTyped} autoFocus />
    </FormDialog>
  );
}
