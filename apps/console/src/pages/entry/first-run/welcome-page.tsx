import { ParlanceError } from '@parlance/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useEntryMessages } from '../../../messages/entry-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { firstSignIn } from '../../../session/begin-session.ts';
import { forgetFragment, takeFragment } from '../../../session/fragment.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { ErrorNote, Loading } from '../../../ui/states.tsx';
import { EntryFrame } from '../entry-frame.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import { guideBotId } from './guide-bot.ts';
import { type WelcomeLink, welcomeLinkOf } from './link-parts.ts';
import { NewPasswordForm } from '../new-password-form.tsx';

type Step = 'signing-in' | 'password' | { readonly error: unknown };

const GUIDE_TRIES = 5;
const GUIDE_PAUSE_MILLIS = 1_000;

/** Signs in only once, even if React runs the effect twice. */
let signingIn: Promise<boolean> | null = null;

class LinkUsed extends Error {}

const isRefused = (error: unknown): boolean => error instanceof LinkUsed || (error instanceof ParlanceError && error.status === 401);

/** `/welcome#<e-mail>/<password>`, which the product prints at its first start. */
export function WelcomePage() {
  const entry = useEntryMessages();
  const [link] = useState(() => welcomeLinkOf(takeFragment()));
  if (link === null) {
    return (
      <EntryFrame title={entry.welcomeIncomplete} text={entry.welcomeIncompleteText}>
        <LinkButton href="/sign-in">{entry.signIn}</LinkButton>
      </EntryFrame>
    );
  }
  return <Welcome link={link} />;
}

function Welcome({ link: { email, password } }: { readonly link: WelcomeLink }) {
  const { common } = useMessages();
  const entry = useEntryMessages();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>('signing-in');

  const openGuide = async () => {
    forgetFragment();
    let bot = await guideBotId(parlance.api);
    // The product creates the guide bot while the first user signs in.
    for (let tries = 1; bot === null && tries < GUIDE_TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, GUIDE_PAUSE_MILLIS));
      bot = await guideBotId(parlance.api);
    }
    await navigate({ href: bot === null ? '/' : `/?${new URLSearchParams({ bot })}` });
  };

  const enter = () => {
    setStep('signing-in');
    signingIn ??= firstSignIn(email, password).finally(() => (signingIn = null));
    signingIn.then(
      (isFirst) => setStep(isFirst ? 'password' : { error: new LinkUsed(entry.welcomeUsed) }),
      (error: unknown) => setStep({ error }),
    );
  };
  // The link does not change while the page is open.
  useEffect(enter, []);

  if (step === 'signing-in') {
    return (
      <EntryFrame title={entry.welcomeTitle}>
        <Loading label={entry.welcomeStarting} />
      </EntryFrame>
    );
  }
  if (step === 'password') {
    return (
      <EntryFrame title={entry.welcomeTitle} text={entry.welcomeText}>
        <p className="text-sm text-muted">{email}</p>
        <NewPasswordForm onDone={openGuide} />
      </EntryFrame>
    );
  }
  if (!isRefused(step.error)) {
    return (
      <EntryFrame title={entry.welcomeTitle}>
        <ErrorNote error={step.error} />
        <Waiting error={step.error} />
        <Button look="primary" onPress={enter}>
          {common.retry}
        </Button>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={entry.welcomeFailed} text={entry.welcomeFailedText}>
      <ErrorNote error={step.error} />
      <LinkButton href="/sign-in" look="primary">
        {entry.signIn}
      </LinkButton>
    </EntryFrame>
  );
}
