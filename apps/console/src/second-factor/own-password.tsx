import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { PasswordField } from '../ui/fields/password-field.tsx';

interface OwnPasswordProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isMissing: boolean;
  readonly autoFocus?: boolean;
}

/** The field for the password, which the server requires to add the first second factor. */
export function OwnPassword({ isMissing, ...props }: OwnPasswordProps) {
  const texts = useSecondFactorMessages();
  return (
    <PasswordField
      label={texts.yourPassword}
      help={texts.yourPasswordHelp}
      name="current-password"
      autoComplete="current-password"
      error={isMissing ? texts.yourPasswordMissing : undefined}
      {...props}
    />
  );
}

export const passwordBody = (isNeeded: boolean, password: string) => (isNeeded ? { current_password: password } : {});
