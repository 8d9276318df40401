import { useQuery } from '@tanstack/react-query';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { parlance } from '../session/parlance.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Loaded } from '../ui/states.tsx';
import { factorsQuery } from './factors-query.ts';
import { stepUpByPasskey } from './passkeys.ts';
import { methodsOf } from './proof.ts';
import { ProofForm } from './proof-form.tsx';

/** Asks for a second factor before an action that needs a fresh one. */
export function StepUpDialog({ onAnswer }: { readonly onAnswer: (isProved: boolean) => void }) {
  const texts = useSecondFactorMessages();
  const query = useQuery({ ...factorsQuery, refetchOnWindowFocus: false });
  return (
    <Dialog title={texts.stepUpTitle} isOpen onClose={() => onAnswer(false)}>
      <p className="text-sm">{texts.stepUpText}</p>
      <Loaded query={query}>
        {(own) => (
          <ProofForm
            methods={methodsOf(own)}
            submitLabel={texts.confirm}
            onProve={async (body) => {
              await parlance.api.post('/user/me/step-up', { body });
              onAnswer(true);
            }}
            onPasskey={async () => {
              await stepUpByPasskey();
              onAnswer(true);
            }}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
