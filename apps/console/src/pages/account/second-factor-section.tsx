import type { SecondFactors } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatTime } from '../../messages/format.ts';
import { useMessages } from '../../messages/index.ts';
import { useSecondFactorMessages } from '../../messages/second-factor-messages.ts';
import { AddApp } from '../../second-factor/add-app.tsx';
import { AddPasskey } from '../../second-factor/add-passkey.tsx';
import { factorsQuery } from '../../second-factor/factors-query.ts';
import { FreshSignIn } from '../../second-factor/fresh-sign-in.tsx';
import { RecoveryCodesDialog } from '../../second-factor/recovery-codes-dialog.tsx';
import { usePasskeyObstacle } from '../../second-factor/use-passkey-obstacle.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Tag } from '../../ui/tag.tsx';
import { toast } from '../../ui/toasts.tsx';

type Factor = SecondFactors['factors'][number];

/** The authenticator app, the passkeys and the recovery codes of the user. */
export function SecondFactorSection() {
  const texts = useSecondFactorMessages();
  const query = useQuery(factorsQuery);
  const obstacle = usePasskeyObstacle();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const added = (text: string) => (its: readonly string[] | null) => {
    toast(text);
    setCodes(its);
  };
  return (
    <Section title={texts.secondFactor} description={texts.secondFactorText}>
      <Loaded query={query}>
        {(own) => (
          <>
            {own.factors.length === 0 ? <p className="text-sm">{texts.noSecondFactor}</p> : <Present own={own} onCodes={setCodes} />}
            {own.proof_to_add === 'recent_sign_in' && <FreshSignIn next="/account" />}
            {obstacle === null && <AddPasskey needsPassword={own.proof_to_add === 'password'} onAdded={added(texts.passkeyAdded)} />}
            {obstacle && <p className="text-xs text-muted">{texts.passkeyObstacles[obstacle]}</p>}
            {own.factors.every(({ kind }) => kind !== 'totp') && (
              <AddApp needsPassword={own.proof_to_add === 'password'} onAdded={added(texts.appAdded)} />
            )}
          </>
        )}
      </Loaded>
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

interface PresentProps {
  readonly own: SecondFactors;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

function Present({ own: { factors, recovery_codes_left, required }, onCodes }: PresentProps) {
  const texts = useSecondFactorMessages();
  const cache = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<Factor | null>(null);
  const makeCodes = async () => {
    const { recovery_codes } = await parlance.api.post('/user/me/factors/recovery-codes');
    onCodes(recovery_codes ?? null);
    await cache.invalidateQueries({ queryKey: factorsQuery.queryKey });
  };
  return (
    <>
      <ul className="flex flex-col gap-2 text-sm">
        {factors.map((factor) => (
          <FactorRow key={factor.factor_id} factor={factor} onRemove={() => setLeaving(factor)} />
        ))}
        <li>{texts.codesLeft(recovery_codes_left)}</li>
      </ul>
      <Button onPress={() => setMaking(true)} className="self-start">
        {texts.newCodes}
      </Button>
      <ConfirmDialog
        title={texts.newCodesTitle}
        text={texts.newCodesText}
        confirmLabel={texts.newCodes}
        isOpen={isMaking}
        isDanger={false}
        onClose={() => setMaking(false)}
        onConfirm={makeCodes}
      />
      {leaving !== null && (
        <RemoveDialog factor={leaving} isLast={factors.length === 1} isRequired={required} onClose={() => setLeaving(null)} />
      )}
    </>
  );
}

function FactorRow({ factor: { kind, name, backed_up, create_time }, onRemove }: { factor: Factor; onRemove: () => void }) {
  const texts = useSecondFactorMessages();
  const isApp = kind === 'totp';
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span className={isApp ? '' : 'min-w-0 break-words'}>{isApp ? texts.app : name}</span>
      {!isApp && <Tag>{texts.passkey}</Tag>}
      <span className="text-muted">{texts.since(formatTime(create_time))}</span>
      {backed_up === true && <span className="text-muted">{texts.isBackedUp}</span>}
      <Button size="small" look="danger" onPress={onRemove} aria-label={isApp ? undefined : texts.removePasskeyNamed(name ?? '')}>
        {isApp ? texts.removeApp : texts.removePasskey}
      </Button>
    </li>
  );
}

interface RemoveProps {
  readonly factor: Factor;
  readonly isLast: boolean;
  readonly isRequired: boolean;
  readonly onClose: () => void;
}

function RemoveDialog({ factor: { factor_id, kind, name }, isLast, isRequired, onClose }: RemoveProps) {
  const texts = useSecondFactorMessages();
  const { common } = useMessages();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const isApp = kind === 'totp';
  const textOfLast = isRequired ? texts.removeLastNeededText : texts.removeLastText;
  const remove = async () => {
    await parlance.api.delete('/user/me/factors/{factorId}', { path: { factorId: factor_id } });
    toast(isApp ? texts.appRemoved : texts.passkeyRemoved);
    await cache.invalidateQueries({ queryKey: factorsQuery.queryKey });
    if (!isLast || !isRequired) return;
    // The session is limited from now on.
    await parlance.session.refresh();
    await navigate({ to: '/second-factor', search: { next: '/account' } });
  };
  return (
    <ConfirmDialog
      title={isApp ? texts.removeAppTitle : texts.removePasskeyTitle(name ?? '')}
      text={isLast ? textOfLast : isApp ? texts.removeAppText : texts.removePasskeyText}
      confirmLabel={common.remove}
      isOpen
      onClose={onClose}
      onConfirm={remove}
    />
  );
}
