import type { ErasureReceipt, PasswordResetOffer, User } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, CircleCheck, KeyRound, MoreHorizontal, Pencil, ShieldOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { useMe } from '../../../../session/use-me.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { userFactorsQuery, userQuery } from '../queries.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';

interface Props {
  readonly user: User;
  readonly onErased: (receipt: ErasureReceipt) => void;
}

type Open = 'rename' | 'disable' | 'reset' | 'factors' | 'erase' | null;

export function UserActions({ user, onErased }: Props) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users;
  const cache = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const [offer, setOffer] = useState<PasswordResetOffer | null>(null);
  const close = () => setOpen(null);
  const isSelf = useMe().user_id === user.user_id;

  const changed = (next: User, text: string) => {
    cache.setQueryData(userQuery(user.user_id).queryKey, next);
    void cache.invalidateQueries({ queryKey: ['admin', 'users', 'list'] });
    toast(text);
  };
  const setEnabled = async (enabled: boolean) =>
    changed(await parlance.admin.changeUser(user.user_id, { enabled }), enabled ? texts.enabledNow : texts.disabledNow);

  const icon = 'size-4';
  return (
    <>
      <Button onPress={() => setOpen('rename')}>
        <Pencil aria-hidden className={icon} />
        {texts.rename}
      </Button>
      <Button onPress={() => setOpen('reset')}>
        <KeyRound aria-hidden className={icon} />
        {texts.reset}
      </Button>
      <Menu
        label={common.actions}
        trigger={
          <Button>
            <MoreHorizontal aria-hidden className={icon} />
            {common.more}
          </Button>
        }
        entries={[
          user.enabled
            ? { id: 'disable', name: texts.disable, icon: <Ban aria-hidden className={icon} />, onAction: () => setOpen('disable') }
            : {
                id: 'enable',
                name: texts.enable,
                icon: <CircleCheck aria-hidden className={icon} />,
                onAction: () => void setEnabled(true).catch(toastError),
              },
          // The server refuses this for one's own account, whose factors are removed on the account page.
          ...(isSelf
            ? []
            : [
                {
                  id: 'factors',
                  name: texts.resetFactors,
                  icon: <ShieldOff aria-hidden className={icon} />,
                  onAction: () => setOpen('factors'),
                },
              ]),
          {
            id: 'erase',
            name: texts.erase,
            icon: <Trash2 aria-hidden className={icon} />,
            onAction: () => setOpen('erase'),
            isDanger: true,
          },
        ]}
      />
      {open === 'rename' && <RenameDialog user={user} onClose={close} onRenamed={(next) => changed(next, texts.renamed)} />}
      <ConfirmDialog
        title={texts.disableTitle}
        text={texts.disableText}
        confirmLabel={texts.disable}
        isOpen={open === 'disable'}
        onClose={close}
        onConfirm={() => setEnabled(false)}
      />
      <ConfirmDialog
        title={texts.resetTitle}
        text={texts.resetText}
        confirmLabel={texts.makeLink}
        isOpen={open === 'reset'}
        isDanger={false}
        onClose={close}
        onConfirm={async () => setOffer(await parlance.admin.offerPasswordReset(user.user_id))}
      />
      <ConfirmDialog
        title={texts.resetFactorsTitle}
        text={texts.resetFactorsText}
        confirmLabel={texts.resetFactors}
        isOpen={open === 'factors'}
        onClose={close}
        onConfirm={async () => {
          await parlance.api.delete('/admin/users/{userId}/factors', { path: { userId: user.user_id } });
          toast(texts.factorsReset);
          await cache.invalidateQueries({ queryKey: userFactorsQuery(user.user_id).queryKey });
        }}
      />
      <ResetDialog offer={offer} onClose={() => setOffer(null)} />
      {open === 'erase' && <EraseDialog user={user} onClose={close} onErased={onErased} />}
    </>
  );
}
