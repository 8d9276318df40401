import type { PersonalToken } from '@parlance/client/types';
import { Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { focusAfterDialog } from '../../../ui/dialogs/after-dialog.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import type { Column } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { TermsDialog } from './terms-dialog.tsx';
import { columnsOf } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';
import type { Scope } from './token-form.ts';

interface TokenActions {
  readonly createButton: ReactNode;
  /** The element around the table. It gets the focus after a token was revoked. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly columns: readonly Column<PersonalToken>[];
  readonly dialogs: ReactNode;
}

/** What the user can do with a table of own tokens. `read` reads the tokens again; a new token has the scopes `atFirst`. */
export function useTokenActions(read: () => Promise<unknown>, atFirst?: readonly Scope[]): TokenActions {
  const { tokens: texts } = useAccountMessages();
  const [isCreating, setCreating] = useState(false);
  const [changing, setChanging] = useState<PersonalToken | null>(null);
  const [leaving, setLeaving] = useState<PersonalToken | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const revoke = async () => {
    if (leaving === null) return;
    await parlance.api.delete('/user/me/tokens/{tokenId}', { path: { tokenId: leaving.token_id } });
    toast(texts.revoked);
    await read();
    focusAfterDialog(list.current);
  };
  const createButton = (
    <Button look="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {texts.create}
    </Button>
  );
  const dialogs = (
    <>
      {isCreating && (
        <TokenDialog
          {...(atFirst && { atFirst })}
          make={(body) => parlance.api.post('/user/me/tokens', { body })}
          onClose={() => setCreating(false)}
          onCreated={() => void read()}
        />
      )}
      {changing && (
        <TermsDialog
          token={changing}
          change={(body) => parlance.api.patch('/user/me/tokens/{tokenId}', { path: { tokenId: changing.token_id }, body }).then(read)}
          onClose={() => setChanging(null)}
        />
      )}
      <ConfirmDialog
        title={texts.revokeTitle}
        text={leaving && texts.revokeText(leaving.description)}
        confirmLabel={texts.revoke}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={revoke}
      />
    </>
  );
  return { createButton, list, columns: columnsOf(texts, setLeaving, setChanging), dialogs };
}
