import { ParlanceError } from '@parlance/client';
import type { OfferedTotp } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { parlance } from '../session/parlance.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { linkInTextLook } from '../ui/link-look.ts';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useSending } from '../ui/use-sending.ts';
import { CodeForm } from './code-form.tsx';
import { factorsQuery } from './factors-query.ts';
import { OwnPassword, passwordBody } from './own-password.tsx';
import { inGroups, wholeSecretOf } from './secret.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const QrCode = lazyPart(() => import('./qr-code.tsx'), 'QrCode');

interface AddAppProps {
  readonly needsPassword: boolean;
  /** The recovery codes, shown only now. Null if the server returned none, or if earlier ones are still valid. */
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
}

/** Adds an authenticator app: first its secret is shown, then its first code confirms it. */
export function AddApp({ onAdded, needsPassword }: AddAppProps) {
  const { common } = useMessages();
  const texts = useSecondFactorMessages();
  const cache = useQueryClient();
  const [offer, setOffer] = useState<OfferedTotp | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isCancelled, setCancelled] = useState(false);
  const ask = async (password = '') => {
    const offered = await parlance.api.post('/user/me/factors/totp', { body: passwordBody(needsPassword, password) });
    if (wholeSecretOf(offered) === null) throw new ParlanceError('secret_lost', texts.appSecretLost);
    setAsking(false);
    setOffer(offered);
  };
  const { isPending, error, send } = useSending(ask);
  const confirm = async (proof: object) => {
    if (!('code' in proof)) return;
    const { recovery_codes } = await parlance.api.post('/user/me/factors/totp/confirm', { body: { code: String(proof.code) } });
    onAdded(recovery_codes ?? null);
    await cache.invalidateQueries({ queryKey: factorsQuery.queryKey });
  };
  const secret = offer && wholeSecretOf(offer);
  const address = offer?.otpauth_uri?.startsWith('otpauth://') ? offer.otpauth_uri : null;
  if (offer === null || secret === null)
    return (
      <>
        {error !== null && <ErrorNote error={error} />}
        <Button
          onPress={() => (needsPassword ? setAsking(true) : send())}
          isPending={isPending}
          autoFocus={isCancelled}
          className="self-start"
        >
          {texts.addApp}
        </Button>
        {isAsking && <PasswordDialog onClose={() => setAsking(false)} onEntered={ask} />}
      </>
    );
  return (
    <div className="flex max-w-md flex-col gap-4 text-sm">
      <p>{texts.appSecretText}</p>
      {address !== null && (
        <Suspense fallback={<div className="size-48" />}>
          <QrCode text={address} label={texts.appQrCode} />
        </Suspense>
      )}
      <div className="flex flex-col gap-1">
        <span className="text-xs font-medium">{texts.appSecret}</span>
        <div className="flex items-center gap-2 rounded-sm border border-control bg-code py-1 ps-3 pe-1">
          <code className="min-w-0 grow font-mono text-xs">{inGroups(secret)}</code>
          <CopyButton text={secret} label={texts.copySecret} />
        </div>
      </div>
      {address !== null && (
        <a href={address} className={`${linkInTextLook} self-start`}>
          {texts.openApp}
        </a>
      )}
      <CodeForm kind="code" submitLabel={texts.confirmApp} onProve={confirm} />
      <Button
        className="self-start"
        onPress={() => {
          setOffer(null);
          setCancelled(true);
        }}
      >
        {common.cancel}
      </Button>
    </div>
  );
}

interface PasswordDialogProps {
  readonly onClose: () => void;
  /** If it rejects, the dialog shows the reason. */
  readonly onEntered: (password: string) => Promise<void>;
}

function PasswordDialog({ onClose, onEntered }: PasswordDialogProps) {
  const texts = useSecondFactorMessages();
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={texts.addApp}
      onClose={onClose}
      submitLabel={texts.goOn}
      onSubmit={() => onEntered(password)}
      isComplete={password !== ''}
    >
      {({ isChecked }) => <OwnPassword value={password} onChange={setPassword} isMissing={isChecked && password === ''} autoFocus />}
    </FormDialog>
  );
}
