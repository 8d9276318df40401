import { useState } from 'react';
import { fieldErrors, formError } from '../../api/form-errors.ts';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { changePassword, knownPassword } from '../../session/begin-session.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useSending } from '../../ui/use-sending.ts';
import { Waiting } from '../../ui/waiting.tsx';

/** Changes the password of the signed-in user. The current password is requested only if it was not entered on this page. */
export function NewPasswordForm({ onDone }: { readonly onDone: () => Promise<void> }) {
  const entry = useEntryMessages();
  const [known] = useState(knownPassword);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { isPending, error, send, forgetError } = useSending(async () => {
    await changePassword(known ?? current, next);
    await onDone();
  });
  const errors = fieldErrors(error);
  const problem = formError(error);

  return (
    <form onSubmit={send} className="flex flex-col gap-4">
      {problem !== null && <ErrorNote error={problem} />}
      <Waiting error={error} />
      {known === null && (
        <PasswordField
          label={entry.temporaryPassword}
          name="current-password"
          autoComplete="current-password"
          value={current}
          error={errors['current_password']}
          onChange={(value) => {
            setCurrent(value);
            forgetError();
          }}
          autoFocus
        />
      )}
      <PasswordField
        label={entry.newPassword}
        name="new-password"
        autoComplete="new-password"
        value={next}
        error={errors['new_password']}
        onChange={(value) => {
          setNext(value);
          forgetError();
        }}
        autoFocus={known !== null}
      />
      <Button type="submit" look="primary" isPending={isPending}>
        {entry.setPassword}
      </Button>
    </form>
  );
}
