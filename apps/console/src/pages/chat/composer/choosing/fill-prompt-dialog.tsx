import type { Prompt } from '@parlance/client/types';
import { useState } from 'react';
import { usePromptChoiceMessages } from '../../../../messages/prompt-choice-messages.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Select, TextField } from '../../../../ui/fields/index.ts';

type Variable = Prompt['variables'][number];

interface Props {
  readonly prompt: Pick<Prompt, 'title' | 'variables'>;
  readonly onFill: (values: Readonly<Record<string, string>>) => void;
  readonly onClose: () => void;
}

const isRequired = ({ default: value }: Variable): boolean => value === null;

/** Asks for the values of a prompt's variables. */
export function FillPromptDialog({ prompt, onFill, onClose }: Props) {
  const texts = usePromptChoiceMessages();
  const { title, variables } = prompt;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map(({ name, default: value, options }) => [name, options[0] ?? value ?? ''])),
  );
  const isComplete = variables.every((variable) => !isRequired(variable) || values[variable.name]!.trim() !== '');
  return (
    <FormDialog title={title} onClose={onClose} submitLabel={texts.insert} isDisabled={!isComplete} onSubmit={async () => onFill(values)}>
      {variables.map((variable) => (
        <VariableField
          key={variable.name}
          variable={variable}
          value={values[variable.name]!}
          onChange={(value) => setValues({ ...values, [variable.name]: value })}
        />
      ))}
    </FormDialog>
  );
}

interface FieldProps {
  readonly variable: Variable;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function VariableField({ variable: { name, options }, value, onChange }: FieldProps) {
  if (options.length > 0)
    return <Select label={name} value={value} onChange={onChange} options={options.map((option) => ({ id: option, name: option }))} />;
  return <TextField label={name} value={value} onChange={onChange} autoComplete="off" />;
}
