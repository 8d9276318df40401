import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Input, Label, TextField, ToggleButton } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { Below, field, inputLook, label as labelLook, marked } from './field-parts.tsx';

interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly help?: string;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  readonly minLength?: number;
}

/** A password that can be shown while it is entered. */
export function PasswordField({ label, help, error, ...props }: PasswordFieldProps) {
  const { common } = useMessages();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField {...props} type={isShown ? 'text' : 'password'} isRequired {...marked(error)} className={field}>
      <Label className={labelLook}>{label}</Label>
      <div className="relative">
        <Input className={`${inputLook} pe-11!`} />
        <ToggleButton
          aria-label={common.showPassword}
          isSelected={isShown}
          onChange={setShown}
          className="absolute end-0 inset-y-0 flex w-10 max-sm:w-11 cursor-pointer items-center justify-center rounded-sm text-muted hover:text-text"
        >
          <Icon aria-hidden className="size-4.5" />
        </ToggleButton>
      </div>
      <Below help={help ?? (props.autoComplete === 'new-password' ? common.passwordHelp : undefined)} error={error} />
    </TextField>
  );
}
