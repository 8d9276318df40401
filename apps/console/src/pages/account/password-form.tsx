import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, formError } from '../../api/form-errors.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { changePassword } from '../../session/begin-session.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';

export function PasswordForm() {
  const account = useAccountMessages();
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      toast(account.passwordChanged);
      return client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const errors = fieldErrors(change.error);
  const problem = formError(change.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
      className="flex max-w-sm flex-col gap-4"
    >
      {problem !== null && <ErrorNote error={problem} />}
      <PasswordField
        label={account.currentPassword}
        name="current-password"
        autoComplete="current-password"
        value={current}
        error={errors['current_password']}
        onChange={setCurrent}
      />
      <PasswordField
        label={account.newPassword}
        name="new-password"
        autoComplete="new-password"
        value={next}
        error={errors['new_password']}
        onChange={setNext}
      />
      <Button type="submit" isPending={change.isPending} className="self-start">
        {account.changePassword}
      </Button>
    </form>
  );
}
