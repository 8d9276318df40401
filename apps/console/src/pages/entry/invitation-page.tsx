import { useQuery } from '@tanstack/react-query';
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
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { EntryFrame } from './entry-frame.tsx';

/** `/invitation#<token>`, with a token from an e-mail. */
export function InvitationPage() {
  const entry = useEntryMessages();
  const [token] = useState(() => takeFragment());
  const invited = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => parlance.open.post('/auth/invitations/read', { body: { token } }),
    enabled: token !== '',
    // Once it is accepted, it can no longer be read.
    staleTime: Infinity,
    gcTime: 0,
  });

  if (token === '') {
    return (
      <EntryFrame title={entry.resetIncomplete} text={entry.invitationIncompleteText}>
        <LinkButton href="/sign-in">{entry.signIn}</LinkButton>
      </EntryFrame>
    );
  }

  return (
    <EntryFrame title={entry.invitationTitle} text={invited.data && entry.invitationText(invited.data.email)}>
      <Loaded query={invited}>{(person) => <AcceptanceForm token={token} person={person} />}</Loaded>
    </EntryFrame>
  );
}

interface Props {
  readonly token: string;
  readonly person: { readonly first_name: string | null; readonly last_name: string | null };
}

function AcceptanceForm({ token, person }: Props) {
  const entry = useEntryMessages();
  const navigate = useNavigate();
  const [values, setValues] = useState({ first_name: person.first_name ?? '', last_name: person.last_name ?? '', password: '' });
  const { isPending, error, send, forgetError } = useSending(async () => {
    const { email } = await parlance.open.post('/auth/invitations/accept', { body: { token, ...values } });
    forgetFragment();
    await signIn(email, values.password);
    await navigate({ href: '/' });
  });
  const errors = fieldErrors(error);
  const problem = formError(error);
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((now) => ({ ...now, [name]: value }));
      forgetError();
    },
  });

  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      {problem !== null && <ErrorNote error={problem} />}
      <TextField label={entry.firstName} autoComplete="given-name" isRequired autoFocus {...field('first_name')} />
      <TextField label={entry.lastName} autoComplete="family-name" isRequired {...field('last_name')} />
      <PasswordField label={entry.password} autoComplete="new-password" {...field('password')} />
      <Button type="submit" look="primary" isPending={isPending}>
        {entry.accept}
      </Button>
    </form>
  );
}
