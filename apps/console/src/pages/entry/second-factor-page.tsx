import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useSecondFactorMessages } from '../../messages/second-factor-messages.ts';
import { AddApp } from '../../second-factor/add-app.tsx';
import { AddPasskey } from '../../second-factor/add-passkey.tsx';
import { factorsQuery } from '../../second-factor/factors-query.ts';
import { FreshSignIn } from '../../second-factor/fresh-sign-in.tsx';
import { stepUpByPasskey } from '../../second-factor/passkeys.ts';
import { methodsOf } from '../../second-factor/proof.ts';
import { ProofForm } from '../../second-factor/proof-form.tsx';
import { RecoveryCodesDialog } from '../../second-factor/recovery-codes-dialog.tsx';
import { usePasskeyObstacle } from '../../second-factor/use-passkey-obstacle.ts';
import { signOut } from '../../session/begin-session.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { EntryFrame } from './entry-frame.tsx';

const route = getRouteApi('/second-factor');

/** Shown while the session lacks a second factor that a group of the user needs. The server refuses everything else until then. */
export function SecondFactorPage() {
  const texts = useSecondFactorMessages();
  const { common } = useMessages();
  const { next } = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery({ ...factorsQuery, refetchOnWindowFocus: false });
  const obstacle = usePasskeyObstacle();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // A factor just added here is not requested again.
  const [isAdded, setAdded] = useState(false);
  const finish = async () => {
    await parlance.session.refresh();
    await navigate({ href: next ?? '/' });
  };
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in', search: {} });
  };
  const added = (its: readonly string[] | null) => {
    setAdded(true);
    if (its === null) void finish().catch(toastError);
    else setCodes(its);
  };
  const isAsked = !isAdded && (query.data?.factors.length ?? 0) > 0;
  return (
    <EntryFrame title={texts.neededTitle} text={isAsked ? texts.neededProofText : texts.neededText}>
      <Loaded query={query}>
        {(own) =>
          isAsked ? (
            <ProofForm
              methods={methodsOf(own)}
              submitLabel={texts.confirm}
              onProve={async (body) => {
                await parlance.api.post('/user/me/step-up', { body });
                await finish();
              }}
              onPasskey={async () => {
                await stepUpByPasskey();
                await finish();
              }}
            />
          ) : (
            <>
              {own.proof_to_add === 'recent_sign_in' && (
                <FreshSignIn next={`/second-factor${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`} />
              )}
              {obstacle === null && <AddPasskey needsPassword={own.proof_to_add === 'password'} onAdded={added} />}
              <AddApp needsPassword={own.proof_to_add === 'password'} onAdded={added} />
            </>
          )
        }
      </Loaded>
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => void finish().catch(toastError)} />}
      <Button look="quiet" onPress={() => void leave().catch(toastError)}>
        {common.signOut}
      </Button>
    </EntryFrame>
  );
}
