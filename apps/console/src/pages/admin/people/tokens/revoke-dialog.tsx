import type { PersonalToken } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useAccountMessages } from '../../../../messages/account-messages.ts';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../../ui/toasts.tsx';

interface Props {
  readonly token: PersonalToken | null;
  readonly revoke: (token: PersonalToken) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Revokes a token of another user after confirmation. */
export function RevokeDialog({ token, revoke, onClose }: Props) {
  const { tokens: texts } = useAccountMessages();
  const cache = useQueryClient();
  if (token === null) return null;
  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      text={texts.revokeText(token.description)}
      confirmLabel={texts.revoke}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await revoke(token);
        await cache.invalidateQueries({ queryKey: ['admin', 'tokens'] });
        toast(texts.revoked);
      }}
    />
  );
}
