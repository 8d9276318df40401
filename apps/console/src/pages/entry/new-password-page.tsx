import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { useMessages } from '../../messages/index.ts';
import { signOut } from '../../session/begin-session.ts';
import { Button } from '../../ui/button.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

const route = getRouteApi('/new-password');

/** Shown after the sign-in with a password that another person has seen. The server refuses everything else until it is changed. */
export function NewPasswordPage() {
  const { common } = useMessages();
  const entry = useEntryMessages();
  const { next } = route.useSearch();
  const navigate = useNavigate();
  const finish = async () => {
    toast(entry.passwordChanged);
    await navigate({ href: next ?? '/' });
  };
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in', search: {} });
  };
  return (
    <EntryFrame title={entry.passwordTitle} text={entry.passwordText}>
      <NewPasswordForm onDone={finish} />
      <Button look="quiet" onPress={() => void leave().catch(toastError)}>
        {common.signOut}
      </Button>
    </EntryFrame>
  );
}
