import { ParlanceError, type SecondFactorProof } from '@parlance/client';
import { useEntryMessages } from '../../messages/entry-messages.ts';
import { useSecondFactorMessages } from '../../messages/second-factor-messages.ts';
import { passkeyAnswer } from '../../second-factor/passkeys.ts';
import { ProofForm } from '../../second-factor/proof-form.tsx';
import type { SecondStep } from '../../session/begin-session.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { EntryFrame } from './entry-frame.tsx';

interface SecondStepProps {
  readonly step: SecondStep;
  readonly onDone: () => Promise<void>;
  /** Called when the password has to be entered again, because the user wants to or the step has expired. */
  readonly onEnded: (hasEnded: boolean) => void;
}

/** Error codes if the challenge has expired or was already answered, or the password has changed meanwhile. */
const ENDED: ReadonlySet<string> = new Set(['invalid_challenge', 'wrong_credentials']);

/** The second step of a sign-in, after the password. */
export function SecondStepForm({ step, onDone, onEnded }: SecondStepProps) {
  const texts = useSecondFactorMessages();
  const entry = useEntryMessages();
  const prove = async (proof: () => Promise<SecondFactorProof>) => {
    try {
      await step.complete(await proof());
    } catch (error) {
      if (error instanceof ParlanceError && ENDED.has(error.code)) return onEnded(true);
      throw error;
    }
    await onDone();
  };
  const askPasskey = async () => {
    const body = { challenge_token: step.challengeToken };
    const { options } = await parlance.open.post('/auth/second-factor/passkey-options', { body });
    return { passkey: await passkeyAnswer(options) };
  };
  return (
    <EntryFrame title={texts.secondStepTitle} text={texts.secondStepText}>
      <ProofForm
        methods={step.methods}
        submitLabel={entry.signIn}
        onProve={(proof) => prove(async () => proof)}
        onPasskey={() => prove(askPasskey)}
      >
        <Button look="quiet" onPress={() => onEnded(false)}>
          {texts.beginAgain}
        </Button>
      </ProofForm>
    </EntryFrame>
  );
}
