import type { ChangeTokenBody, PersonalToken } from '@parlance/client/types';
import { useState } from 'react';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { TermsFields } from './terms-fields.tsx';
import { fieldsOf, termsBodyOf } from './token-form.ts';

interface Props {
  readonly token: PersonalToken;
  /** Sends the terms of a token of the user, or of a service account. */
  readonly change: (body: ChangeTokenBody) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the terms of a token for calls of models. */
export function TermsDialog({ token, change, onClose }: Props) {
  const { terms: texts } = useAccountMessages().tokens;
  const { common } = useMessages();
  const [terms, setTerms] = useState(() => fieldsOf(token));
  const save = async () => {
    await change(termsBodyOf(terms));
    toast(texts.changed);
    onClose();
  };
  return (
    <FormDialog title={texts.title(token.description)} onClose={onClose} submitLabel={common.save} onSubmit={save}>
      {({ errorOf }) => <TermsFields terms={terms} onChange={setTerms} errorOf={errorOf} />}
    </FormDialog>
  );
}
