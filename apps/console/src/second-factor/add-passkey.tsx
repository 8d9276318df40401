import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { parlance } from '../session/parlance.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { factorsQuery } from './factors-query.ts';
import { OwnPassword, passwordBody } from './own-password.tsx';
import { newPasskey, stopAsking } from './passkeys.ts';

const LONGEST_NAME = 100;

interface AddPasskeyProps {
  readonly needsPassword: boolean;
  /** The recovery codes, shown only now. Null if the server returned none, or if earlier ones are still valid. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
}

/** Adds a passkey of this device, of a phone or of a security key. The browser asks which. */
export function AddPasskey({ onAdded, needsPassword }: AddPasskeyProps) {
  const texts = useSecondFactorMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} className="self-start">
        {texts.addPasskey}
      </Button>
      {isOpen && <AddPasskeyDialog onClose={() => setOpen(false)} onAdded={onAdded} needsPassword={needsPassword} />}
    </>
  );
}

function AddPasskeyDialog({ onClose, onAdded, needsPassword }: AddPasskeyProps & { readonly onClose: () => void }) {
  const texts = useSecondFactorMessages();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  useEffect(() => stopAsking, []);
  const add = async () => {
    try {
      const { options } = await parlance.api.post('/user/me/factors/passkeys', { body: passwordBody(needsPassword, password) });
      const body = { name: name.trim(), credential: await newPasskey(options) };
      const { recovery_codes } = await parlance.api.post('/user/me/factors/passkeys/confirm', { body });
      onClose();
      onAdded(recovery_codes ?? null);
    } finally {
      // Also if the answer was lost, because the passkey may have been added.
      await cache.invalidateQueries({ queryKey: factorsQuery.queryKey });
    }
  };
  const isNameless = name.trim() === '';
  const lacksPassword = needsPassword && password === '';
  return (
    <FormDialog
      title={texts.addPasskey}
      onClose={onClose}
      submitLabel={texts.makePasskey}
      onSubmit={add}
      isComplete={!isNameless && !lacksPassword}
    >
      {({ errorOf, isChecked }) => (
        <>
          <p className="text-sm text-muted">{texts.addPasskeyText}</p>
          <TextField
            label={texts.passkeyName}
            help={texts.passkeyNameHelp}
            value={name}
            onChange={setName}
            error={isChecked && isNameless ? texts.passkeyNameMissing : errorOf('name')}
            maxLength={LONGEST_NAME}
            isRequired
            autoFocus
            autoComplete="off"
          />
          {needsPassword && <OwnPassword value={password} onChange={setPassword} isMissing={isChecked && lacksPassword} />}
        </>
      )}
    </FormDialog>
  );
}
