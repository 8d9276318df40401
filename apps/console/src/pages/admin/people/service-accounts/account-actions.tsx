import type { ErasureReceipt, ServiceAccount } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { toast, toastError } from '../../../../ui/toasts.tsx';

interface Props {
  readonly account: ServiceAccount;
  readonly onDeleted: (receipt: ErasureReceipt) => void;
}

export function AccountActions({ account, onDeleted }: Props) {
  const { common, admin } = useAdminMessages();
  const { accounts: texts } = admin.people.tokens;
  const cache = useQueryClient();
  const [open, setOpen] = useState<'rename' | 'disable' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const path = { id: account.id };
  const reread = () => cache.invalidateQueries({ queryKey: ['admin', 'service-accounts'] });
  const setEnabled = async (enabled: boolean) => {
    await parlance.api.patch('/admin/service-accounts/{id}', { path, body: { enabled } });
    await reread();
    toast(enabled ? texts.enabledNow : texts.disabledNow);
  };
  const remove = async () => {
    onDeleted(await parlance.api.delete('/admin/service-accounts/{id}', { path }));
    void cache.invalidateQueries({ queryKey: ['admin', 'service-accounts', 'list'] });
    void cache.invalidateQueries({ queryKey: ['admin', 'tokens'] });
  };
  return (
    <>
      <Button onPress={() => setOpen('rename')}>{texts.rename}</Button>
      {account.enabled ? (
        <Button onPress={() => setOpen('disable')}>{texts.disable}</Button>
      ) : (
        <Button onPress={() => void setEnabled(true).catch(toastError)}>{texts.enable}</Button>
      )}
      <Button look="danger" onPress={() => setOpen('delete')}>
        {common.delete}
      </Button>
      {open === 'rename' && <RenameDialog account={account} onClose={close} onRenamed={reread} />}
      <ConfirmDialog
        title={texts.disableTitle}
        text={texts.disableText}
        confirmLabel={texts.disable}
        isOpen={open === 'disable'}
        onClose={close}
        onConfirm={() => setEnabled(false)}
      />
      <ConfirmDialog
        title={texts.deleteTitle(account.name)}
        text={texts.deleteText}
        confirmLabel={texts.deleteForever}
        isOpen={open === 'delete'}
        onClose={close}
        onConfirm={remove}
      />
    </>
  );
}

interface RenameProps {
  readonly account: ServiceAccount;
  readonly onClose: () => void;
  readonly onRenamed: () => Promise<void>;
}

function RenameDialog({ account, onClose, onRenamed }: RenameProps) {
  const { common, admin } = useAdminMessages();
  const { accounts: texts } = admin.people.tokens;
  const [name, setName] = useState(account.name);
  const rename = async () => {
    await parlance.api.patch('/admin/service-accounts/{id}', { path: { id: account.id }, body: { name: name.trim() } });
    await onRenamed();
    toast(texts.renamed);
    onClose();
  };
  return (
    <FormDialog title={texts.renameTitle} onClose={onClose} submitLabel={common.save} onSubmit={rename}>
      {({ errorOf }) => <TextField label={texts.name} isRequired autoFocus value={name} onChange={setName} error={errorOf('name')} />}
    </FormDialog>
  );
}
