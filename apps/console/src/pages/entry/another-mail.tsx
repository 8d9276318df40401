import { ParlanceError } from '@parlance/client';
import { useState } from 'react';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { Waiting } from '../../ui/waiting.tsx';

/** Whether a sign-in with the right password was refused because the address is not verified. */
export const isAboutAddress = (error: unknown): boolean => error instanceof ParlanceError && error.code === 'email_not_verified';

/** Requests another e-mail that verifies the address. The answer is the same whether or not an e-mail is sent. */
export function AnotherMail({ email }: { readonly email: string }) {
  const entry = useEntryMessages();
  const [isSent, setSent] = useState(false);
  const { isPending, error, send } = useSending(async () => {
    await parlance.open.post('/auth/email-verification/request', { body: { email } });
    setSent(true);
  });
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <Waiting error={error} />
      <p role="status" className="text-sm empty:hidden">
        {isSent && entry.verificationSent(email)}
      </p>
      <Button isPending={isPending} onPress={() => send()}>
        {entry.anotherMail}
      </Button>
    </>
  );
}
