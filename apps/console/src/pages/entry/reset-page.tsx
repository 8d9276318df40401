import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../api/form-errors.ts';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { forgetFragment, takeFragment } from '../../session/fragment.ts';
import { parlance } from '../../session/parlance.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { EntryFrame } from './entry-frame.tsx';

/** `/reset#<token>`, with a token from an administrator or an e-mail. */
export function ResetPage() {
  const entry = useEntryMessages();
  const navigate = useNavigate();
  const [token] = useState(() => takeFragment());
  const [password, setPassword] = useState('');
  const { isPending, error, send, forgetError } = useSending(async () => {
    await parlance.open.post('/auth/password-reset', { body: { reset_token: token, new_password: password } });
    forgetFragment();
    toast(entry.resetDone);
    await navigate({ to: '/sign-in', search: {} });
  });
  const { new_password: passwordError } = fieldErrors(error);

  if (token === '') {
    return (
      <EntryFrame title={entry.resetIncomplete} text={entry.resetIncompleteText}>
        <LinkButton href="/sign-in">{entry.signIn}</LinkButton>
      </EntryFrame>
    );
  }

  return (
    <EntryFrame title={entry.resetTitle} text={entry.resetText}>
      <form onSubmit={send} className="flex flex-col gap-4">
        {error !== null && passwordError === undefined && <ErrorNote error={error} />}
        <PasswordField
          label={entry.newPassword}
          name="new-password"
          autoComplete="new-password"
          value={password}
          error={passwordError}
          onChange={(value) => {
            setPassword(value);
            forgetError();
          }}
          autoFocus
        />
        <Button type="submit" look="primary" isPending={isPending}>
          {entry.setPassword}
        </Button>
      </form>
    </EntryFrame>
  );
}
