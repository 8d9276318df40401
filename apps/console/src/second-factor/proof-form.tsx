import { ParlanceError, type SecondFactorProof } from '@parlance/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useSending } from '../ui/use-sending.ts';
import { Waiting } from '../ui/waiting.tsx';
import { CodeForm } from './code-form.tsx';
import { knowsPasskeys, stopAsking } from './passkeys.ts';
import { type ProofMethod, proofMethods } from './proof.ts';

interface ProofFormProps {
  /** The kinds that the user has. */
  readonly methods: readonly ProofMethod[];
  readonly submitLabel: string;
  /** If it rejects, the form shows the reason. */
  readonly onProve: (proof: SecondFactorProof) => Promise<unknown>;
  /** Has a passkey sign the challenge, and sends the result. */
  readonly onPasskey: () => Promise<unknown>;
  /** Further buttons, below. */
  readonly children?: ReactNode;
}

/** Asks for one of the second factors that a user has. Another one can be chosen. */
export function ProofForm({ methods, submitLabel, onProve, onPasskey, children }: ProofFormProps) {
  const texts = useSecondFactorMessages();
  const usable = proofMethods(methods, knowsPasskeys());
  const [chosen, choose] = useState(usable[0]);
  return (
    <div className="flex flex-col gap-4">
      {chosen === 'passkey' ? (
        <PasskeyProof onPasskey={onPasskey} />
      ) : (
        <CodeForm key={chosen} kind={chosen === 'totp' ? 'code' : 'recovery_code'} submitLabel={submitLabel} onProve={onProve} />
      )}
      {usable
        .filter((each) => each !== chosen)
        .map((each) => (
          <Button key={each} look="quiet" onPress={() => choose(each)}>
            {texts.use[each]}
          </Button>
        ))}
      {children}
    </div>
  );
}

function PasskeyProof({ onPasskey }: { readonly onPasskey: () => Promise<unknown> }) {
  const texts = useSecondFactorMessages();
  const { isPending, error, send } = useSending(onPasskey);
  useEffect(() => stopAsking, []);
  const isWrong = error instanceof ParlanceError && error.code === 'wrong_second_factor';
  return (
    <>
      {error !== null && <ErrorNote error={isWrong ? texts.wrongPasskey : error} />}
      <Waiting error={error} />
      <Button look="primary" isPending={isPending} onPress={() => send()} autoFocus>
        {texts.use.passkey}
      </Button>
    </>
  );
}
