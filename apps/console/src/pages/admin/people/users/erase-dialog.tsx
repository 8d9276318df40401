import type { ErasureReceipt, User } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { ErrorNote } from '../../../../ui/states.tsx';

interface Props {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onErased: (receipt: ErasureReceipt) => void;
}

/** Erases a user after the e-mail address is typed, because it cannot be undone. */
export function EraseDialog({ user, isOpen, onClose, onErased }: Props) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users;
  const formId = useId();
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
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isSame && !erase.isPending) erase.mutate();
  };
  return (
    <Dialog
      title={texts.eraseTitle(user.email)}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" form={formId} look="danger" isDisabled={!isSame} isPending={erase.isPending}>
            {texts.eraseForever}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="flex flex-col gap-4">
        <p>{texts.eraseText}</p>
        <TextField label={texts.eraseConfirm} placeholder={user.email} autoComplete="off" value={typed} onChange={setTyped} autoFocus />
        {erase.error !== null && <ErrorNote error={erase.error} />}
      </form>
    </Dialog>
  );
}
