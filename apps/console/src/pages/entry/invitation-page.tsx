import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors, formError } from '../../api/form-errors.ts';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { signIn } from '../../session/begin-session.ts';
import { forgetFragment, takeFragment } from '../../session/fragment.ts';
import { parlance } from '../../session/parlance.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/index.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { EntryFrame } from './entry-frame.tsx';

const EMPTY = { first_name: '', last_name: '', password: '' };

/** `/invitation#<token>`, with a token from an e-mail. */
export function InvitationPage() {
  const entry = useEntryMessages();
  const navigate = useNavigate();
  const [token] = useState(() => takeFragment());
  const [values, setValues] = useState(EMPTY);
  const { isPending, error, send, forgetError } = useSending(async () => {
    const { email } = await parlance.open.post('/auth/invitations/accept', { body: { token, ...values } });
    forgetFragment();
    await signIn(email, values.password);
    await navigate({ href: '/' });
  });
  const errors = fieldErrors(error);
  const problem = formError(error);
  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((now) => ({ ...now, [name]: value }));
      forgetError();
    },
  });

  if (token === '') {
    return (
      <EntryFrame title={entry.resetIncomplete} text={entry.invitationIncompleteText}>
        <LinkButton href="/sign-in">{entry.signIn}</LinkButton>
      </EntryFrame>
    );
  }

  return (
    <EntryFrame title={entry.invitationTitle}>
      <form onSubmit={send} className="flex flex-col gap-4">
        {problem !== null && <ErrorNote error={problem} />}
        <TextField label={entry.firstName} autoComplete="given-name" isRequired autoFocus {...field('first_name')} />
        <TextField label={entry.lastName} autoComplete="family-name" isRequired {...field('last_name')} />
        <PasswordField label={entry.password} autoComplete="new-password" {...field('password')} />
        <Button type="submit" look="primary" isPending={isPending}>
          {entry.accept}
        </Button>
      </form>
    </EntryFrame>
  );
}
