import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { forgetFragment, takeFragment } from '../../session/fragment.ts';
import { parlance } from '../../session/parlance.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { EntryFrame } from './entry-frame.tsx';

/** `/verification#<token>`, with a token from an e-mail. The user has to press a button, because mail scanners open links. */
export function VerificationPage() {
  const entry = useEntryMessages();
  const navigate = useNavigate();
  const [token] = useState(() => takeFragment());
  const { isPending, error, send } = useSending(async () => {
    await parlance.open.post('/auth/email-verification', { body: { token } });
    forgetFragment();
    toast(entry.verified);
    await navigate({ to: '/sign-in', search: {} });
  });

  if (token === '') {
    return (
      <EntryFrame title={entry.resetIncomplete} text={entry.invitationIncompleteText}>
        <LinkButton href="/sign-in">{entry.signIn}</LinkButton>
      </EntryFrame>
    );
  }

  return (
    <EntryFrame title={entry.verificationTitle}>
      <form onSubmit={send} className="flex flex-col gap-4">
        {error !== null && <ErrorNote error={error} />}
        <Button type="submit" look="primary" isPending={isPending}>
          {entry.verify}
        </Button>
      </form>
    </EntryFrame>
  );
}
