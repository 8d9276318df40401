import { ParlanceError, type SecondFactorProof } from '@parlance/client';
import { useEffect, useRef, useState } from 'react';
import { fieldErrors, formError } from '../api/form-errors.ts';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useSending } from '../ui/use-sending.ts';
import { Waiting } from '../ui/waiting.tsx';
import { type ProofKind, proofOf } from './proof.ts';

interface CodeFormProps {
  readonly kind: ProofKind;
  readonly submitLabel: string;
  /** If it rejects, the form shows the reason. */
  readonly onProve: (proof: SecondFactorProof) => Promise<unknown>;
}

/** One field for the code of the authenticator app, or for a recovery code. After a refusal the field is empty and has the focus. */
export function CodeForm({ kind, submitLabel, onProve }: CodeFormProps) {
  const texts = useSecondFactorMessages();
  const [text, setText] = useState('');
  const [isIncomplete, setIncomplete] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { isPending, error, send } = useSending(async () => {
    const proof = proofOf(kind, text);
    setIncomplete(proof === null);
    if (proof !== null) await onProve(proof);
  });
  useEffect(() => {
    if (error === null) return;
    setText('');
    form.current?.querySelector('input')?.focus();
  }, [error]);
  const isCode = kind === 'code';
  const wrong = isCode ? texts.wrongAppCode : texts.wrongRecoveryCode;
  const isWrong = error instanceof ParlanceError && error.code === 'wrong_second_factor';
  const problem = isWrong ? wrong : formError(error);
  const invalid = isIncomplete && isCode ? texts.appCodeIncomplete : fieldErrors(error)[kind];
  return (
    <form ref={form} onSubmit={send} noValidate className="flex flex-col gap-4">
      {problem !== null && <ErrorNote error={problem} />}
      <Waiting error={error} />
      <TextField
        label={isCode ? texts.appCode : texts.recoveryCode}
        help={isCode ? texts.appCodeHelp : texts.recoveryCodeHelp}
        name={isCode ? 'one-time-code' : 'recovery-code'}
        autoComplete={isCode ? 'one-time-code' : 'off'}
        inputMode={isCode ? 'numeric' : 'text'}
        spellCheck="false"
        isRequired
        value={text}
        onChange={(value) => {
          setText(value);
          setIncomplete(false);
        }}
        error={invalid}
        autoFocus
      />
      <Button type="submit" look="primary" isPending={isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}
