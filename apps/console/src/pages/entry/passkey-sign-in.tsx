import { useEffect } from 'react';
import { useSecondFactorMessages } from '../../messages/second-factor-messages.ts';
import { passkeyAnswer, stopAsking } from '../../second-factor/passkeys.ts';
import { signInByPasskey } from '../../session/begin-session.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { Waiting } from '../../ui/waiting.tsx';

/** Signs in without a password. The browser shows the passkeys of this installation to choose from. */
export function PasskeySignIn({ onDone }: { readonly onDone: () => Promise<void> }) {
  const texts = useSecondFactorMessages();
  useEffect(() => stopAsking, []);
  const { isPending, error, send } = useSending(async () => {
    const { challenge_token, options } = await parlance.open.post('/auth/passkeys/options');
    await signInByPasskey(challenge_token, await passkeyAnswer(options));
    await onDone();
  });
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <Waiting error={error} />
      <Button isPending={isPending} onPress={() => send()}>
        {texts.signInByPasskey}
      </Button>
    </>
  );
}
