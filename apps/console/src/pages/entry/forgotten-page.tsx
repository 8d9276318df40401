import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { fieldErrors, formError } from '../../api/form-errors.ts';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/index.ts';
import { linkInTextLook } from '../../ui/link-look.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { EntryFrame } from './entry-frame.tsx';

/** Requests an e-mail with a link to set a new password. The answer is the same whether or not a user has the address. */
export function ForgottenPage() {
  const entry = useEntryMessages();
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { isPending, error, send, forgetError } = useSending(async () => {
    await parlance.open.post('/auth/password-reset/request', { body: { email: email.trim() } });
    setSent(true);
  });
  const problem = formError(error);
  return (
    <EntryFrame title={entry.forgottenTitle} text={isSent ? undefined : entry.forgottenText}>
      {isSent ? (
        <Sent email={email.trim()} />
      ) : (
        <form onSubmit={send} className="flex flex-col gap-4">
          {problem !== null && <ErrorNote error={problem} />}
          <Waiting error={error} />
          <TextField
            label={entry.email}
            type="email"
            name="email"
            autoComplete="username"
            isRequired
            value={email}
            onChange={(its) => {
              setEmail(its);
              forgetError();
            }}
            error={fieldErrors(error)['email']}
            autoFocus
          />
          <Button type="submit" look="primary" isPending={isPending}>
            {entry.sendLink}
          </Button>
        </form>
      )}
      <p className="text-sm">
        <Link to="/sign-in" search={{}} className={linkInTextLook}>
          {entry.backToSignIn}
        </Link>
      </p>
    </EntryFrame>
  );
}

/** The confirmation. It takes the focus from the form it replaces, so that screen readers announce it. */
function Sent({ email }: { readonly email: string }) {
  const entry = useEntryMessages();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <p ref={text} tabIndex={-1} className="text-sm outline-none">
      {entry.linkSent(email)}
    </p>
  );
}
