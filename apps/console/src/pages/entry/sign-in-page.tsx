import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type EntryMessages, useEntryMessages } from '../../messages/entry-messages.ts';
import { useSecondFactorMessages } from '../../messages/second-factor-messages.ts';
import { knowsPasskeys } from '../../second-factor/passkeys.ts';
import { type SecondStep, signIn } from '../../session/begin-session.ts';
import { parlance } from '../../session/parlance.ts';
import { providerAddress } from '../../session/provider-address.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/index.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { linkInTextLook } from '../../ui/link-look.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { AnotherMail, isAboutAddress } from './another-mail.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { signInOptionsQuery } from '../../session/sign-in-options.ts';

const route = getRouteApi('/sign-in');

/** Only texts of the console are shown, because anyone can craft an address. */
const providerError = ({ providerErrors, providerFailed }: EntryMessages, code: string): string =>
  Object.hasOwn(providerErrors, code) ? providerErrors[code as keyof typeof providerErrors] : providerFailed(code);

export function SignInPage() {
  const entry = useEntryMessages();
  const { stepEnded } = useSecondFactorMessages();
  const { next, error: refusal, ended } = route.useSearch();
  const navigate = useNavigate();
  const options = useQuery(signInOptionsQuery(parlance)).data;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [step, setStep] = useState<SecondStep | null>(null);
  const [hasStepEnded, setEnded] = useState(false);
  const { isPending, error, send } = useSending(async () => {
    setEnded(false);
    const needed = await signIn(email, password);
    if (needed === null) await goOn();
    else setStep(needed);
  });
  const goOn = () => navigate({ href: next ?? '/' });
  const hasPasskeys = options?.passkeys === true && knowsPasskeys();
  const isNotVerified = isAboutAddress(error);
  const toPassword = (isEnded: boolean) => {
    setPassword('');
    setStep(null);
    setEnded(isEnded);
  };
  if (step !== null) return <SecondStepForm step={step} onDone={goOn} onEnded={toPassword} />;

  return (
    <EntryFrame title={entry.signInTitle}>
      {ended === true && refusal === undefined && error === null && (
        <p role="status" className="text-sm">
          {entry.sessionEnded}
        </p>
      )}
      {refusal !== undefined && error === null && <ErrorNote error={providerError(entry, refusal)} />}
      {options !== undefined && (hasPasskeys || options.providers.length > 0) && (
        <>
          {hasPasskeys && <PasskeySignIn onDone={goOn} />}
          {options.providers.map(({ id, name, start_url }) => (
            <a key={id} href={providerAddress(start_url, next)} className={buttonLook('secondary')}>
              {entry.signInWith(name)}
            </a>
          ))}
          <p className="flex items-center gap-3 text-xs text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
            {entry.or}
          </p>
        </>
      )}
      {hasStepEnded && error === null && <ErrorNote error={stepEnded} />}
      <form onSubmit={send} className="flex flex-col gap-4">
        {error !== null && <ErrorNote error={isNotVerified ? entry.emailNotVerified : error} />}
        {isNotVerified && <AnotherMail key={email} email={email.trim()} />}
        <Waiting error={error} />
        <TextField
          label={entry.email}
          type="email"
          name="email"
          autoComplete="username"
          isRequired
          value={email}
          onChange={setEmail}
          autoFocus={email === ''}
        />
        <PasswordField
          label={entry.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          autoFocus={email !== ''}
        />
        <Button type="submit" look="primary" isPending={isPending}>
          {entry.signIn}
        </Button>
      </form>
      {options?.password_reset_by_mail ? (
        <p className="text-sm">
          <Link to="/forgotten" className={linkInTextLook}>
            {entry.forgottenLink}
          </Link>
        </p>
      ) : (
        <p className="text-xs text-muted">{entry.forgotten}</p>
      )}
      {options?.sign_up_enabled && (
        <p className="text-sm">
          {entry.noAccount}{' '}
          <Link to="/sign-up" search={next === undefined ? {} : { next }} className={linkInTextLook}>
            {entry.signUp}
          </Link>
        </p>
      )}
    </EntryFrame>
  );
}
