import type { PasswordResetOffer } from '@parlance/client/types';
import { hrefOf } from '../../../../app/addresses.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

const SECONDS_OF_HOUR = 3_600;

/** A link to set a new password. The token follows `#`, which browsers do not send to servers. */
export function ResetDialog({ offer, onClose }: { readonly offer: PasswordResetOffer | null; readonly onClose: () => void }) {
  const { users: texts } = useAdminMessages().admin.people;
  if (offer === null) return null;
  const { reset_token: token, expires_in } = offer;
  return (
    <Dialog
      title={texts.resetReady}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose} autoFocus>
          {texts.done}
        </Button>
      }
    >
      {token === undefined ? (
        <p>{texts.resetSeen}</p>
      ) : (
        <>
          <ShownOnce label={texts.resetLink} value={`${globalThis.location.origin}${hrefOf(`/reset#${token}`)}`} />
          <ShownOnce label={texts.resetToken} value={token} />
          <p className="text-xs text-muted">{texts.resetValid(Math.floor(expires_in / SECONDS_OF_HOUR))}</p>
        </>
      )}
    </Dialog>
  );
}
