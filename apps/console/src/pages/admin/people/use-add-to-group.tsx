import { ParlanceError } from '@parlance/client';
import type { User } from '@parlance/client/types';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAdminMessages } from '../../../messages/admin-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { toastError } from '../../../ui/toasts.tsx';

interface Membership {
  readonly userId: string;
  readonly group: string;
  readonly isConfirmed?: boolean;
}

interface AddToGroup {
  readonly add: (user: { readonly user_id: string }, group: string) => void;
  readonly isPending: boolean;
  /** The confirmation dialog for a user whose e-mail address is not verified. */
  readonly confirmation: ReactNode;
}

const put = ({ userId, group, isConfirmed = false }: Membership): Promise<User> =>
  parlance.api.put('/admin/users/{userId}/groups/{group}', {
    path: { userId, group },
    ...(isConfirmed && { query: { confirm_unverified: true } }),
  });

/** Adds a user to a group. For accounts with an unverified address, it asks first. */
export function useAddToGroup({ onAdded }: { readonly onAdded: (user: User, group: string) => void }): AddToGroup {
  const { users: texts } = useAdminMessages().admin.people;
  const [unverified, setUnverified] = useState<Membership | null>(null);
  const add = useMutation({
    mutationFn: put,
    onSuccess: (user, { group }) => onAdded(user, group),
    onError: (error, membership) => {
      if (error instanceof ParlanceError && error.code === 'email_unverified') setUnverified(membership);
      else toastError(error);
    },
  });
  return {
    add: ({ user_id }, group) => add.mutate({ userId: user_id, group }),
    isPending: add.isPending,
    confirmation: (
      <ConfirmDialog
        title={texts.unverifiedTitle}
        text={texts.unverifiedText(unverified?.group ?? '')}
        confirmLabel={texts.addAnyway}
        isOpen={unverified !== null}
        onClose={() => setUnverified(null)}
        onConfirm={async () => {
          if (unverified) onAdded(await put({ ...unverified, isConfirmed: true }), unverified.group);
        }}
      />
    ),
  };
}
