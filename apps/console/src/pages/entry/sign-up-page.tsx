import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { fieldErrors, formError } from '../../api/form-errors.ts';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { signIn } from '../../session/begin-session.ts';
import { parlance } from '../../session/parlance.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/index.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { linkInTextLook } from '../../ui/link-look.ts';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { AnotherMail, isAboutAddress } from './another-mail.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { signInOptionsQuery } from '../../session/sign-in-options.ts';
import { formatList } from '../../messages/format.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage() {
  const entry = useEntryMessages();
  const { next } = route.useSearch();
  const query = useQuery(signInOptionsQuery(parlance));
  if (query.data?.sign_up_enabled === false) {
    return (
      <EntryFrame title={entry.signUpClosed} text={entry.signUpClosedText}>
        <LinkButton href="/sign-in">{entry.signIn}</LinkButton>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={entry.signUpTitle}>
      <Loaded query={query}>{({ allowed_sign_up_email_domains: domains }) => <SignUpForm domains={domains} next={next} />}</Loaded>
      <p className="text-sm">
        {entry.hasAccount}{' '}
        <Link to="/sign-in" search={next === undefined ? {} : { next }} className={linkInTextLook}>
          {entry.signIn}
        </Link>
      </p>
    </EntryFrame>
  );
}

const EMPTY = { first_name: '', last_name: '', email: '', password: '' };

function SignUpForm({ domains, next }: { readonly domains: readonly string[]; readonly next: string | undefined }) {
  const entry = useEntryMessages();
  const navigate = useNavigate();
  const [values, setValues] = useState(EMPTY);
  const { isPending, error, send, forgetError } = useSending(async () => {
    await parlance.open.post('/auth/sign-up', { body: values });
    await signIn(values.email, values.password);
    await navigate({ href: next ?? '/' });
  });
  if (isAboutAddress(error)) return <SignedUp email={values.email.trim()} />;
  const errors = fieldErrors(error);
  const problem = formError(error);
  // The browser does not send a form while a field has an error.
  const field = (name: keyof typeof EMPTY) => ({
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
      <Waiting error={error} />
      <TextField label={entry.firstName} autoComplete="given-name" isRequired autoFocus {...field('first_name')} />
      <TextField label={entry.lastName} autoComplete="family-name" isRequired {...field('last_name')} />
      <TextField
        label={entry.email}
        type="email"
        autoComplete="username"
        isRequired
        help={domains.length > 0 ? entry.allowedDomains(formatList(domains)) : undefined}
        {...field('email')}
      />
      <PasswordField label={entry.password} autoComplete="new-password" {...field('password')} />
      <Button type="submit" look="primary" isPending={isPending}>
        {entry.signUp}
      </Button>
    </form>
  );
}

/**
 * The account exists, but its address has to be verified first. The text takes the focus from the form it replaces, so that screen readers
 * announce it.
 */
function SignedUp({ email }: { readonly email: string }) {
  const entry = useEntryMessages();
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} tabIndex={-1} className="text-sm outline-none">
        {entry.signedUpText(email)}
      </p>
      <AnotherMail email={email} />
    </>
  );
}
