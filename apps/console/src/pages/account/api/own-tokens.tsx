import type { PersonalToken } from '@parlance/client/types';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { focusAfterDialog } from '../../../ui/dialogs/after-dialog.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { TermsDialog } from '../tokens/terms-dialog.tsx';
import { columnsOf } from '../tokens/token-columns.tsx';
import { TokenDialog } from '../tokens/token-dialog.tsx';
import { MODELS_SCOPE } from '../tokens/token-form.ts';

interface Props {
  readonly tokens: readonly PersonalToken[];
  /** Reads the tokens again. */
  readonly read: () => Promise<unknown>;
}

/** The user's tokens that may call models. */
export function OwnTokens({ tokens, read }: Props) {
  const { api: texts, tokens: tokenTexts } = useAccountMessages();
  const [isCreating, setCreating] = useState(false);
  const [changing, setChanging] = useState<PersonalToken | null>(null);
  const [leaving, setLeaving] = useState<PersonalToken | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const revoke = async () => {
    if (leaving === null) return;
    await parlance.api.delete('/user/me/tokens/{tokenId}', { path: { tokenId: leaving.token_id } });
    toast(tokenTexts.revoked);
    await read();
    focusAfterDialog(list.current);
  };
  return (
    <Section
      title={texts.tokens}
      description={texts.tokensText}
      actions={
        <Button look="primary" onPress={() => setCreating(true)}>
          <Plus aria-hidden className="size-4" />
          {tokenTexts.create}
        </Button>
      }
    >
      <div ref={list} tabIndex={-1} className="outline-none">
        <Table
          label={texts.tokens}
          rows={tokens.filter(({ scopes }) => scopes.includes(MODELS_SCOPE))}
          keyOf={({ token_id }) => token_id}
          columns={columnsOf(tokenTexts, setLeaving, setChanging)}
          empty={<EmptyState title={texts.noTokens} text={texts.noTokensText} />}
        />
      </div>
      {isCreating && (
        <TokenDialog
          atFirst={[MODELS_SCOPE]}
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
        title={tokenTexts.revokeTitle}
        text={leaving && tokenTexts.revokeText(leaving.description)}
        confirmLabel={tokenTexts.revoke}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={revoke}
      />
    </Section>
  );
}
