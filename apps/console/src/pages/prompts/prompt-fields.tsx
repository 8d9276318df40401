import { usePromptMessages } from '../../messages/prompt-messages.ts';
import { TextField } from '../../ui/fields/index.ts';

/** The content of a prompt that is being written. */
export interface PromptDraft {
  readonly title: string;
  readonly command: string;
  readonly description: string;
  readonly text: string;
}

export const isComplete = ({ title, command, text }: PromptDraft): boolean => [title, command, text].every((field) => field.trim() !== '');

interface PromptFieldsProps {
  readonly draft: PromptDraft;
  readonly onChange: (draft: PromptDraft) => void;
  readonly errors: Readonly<Partial<Record<keyof PromptDraft, string | undefined>>>;
  readonly isReadOnly?: boolean;
}

export function PromptFields({ draft, onChange, errors, isReadOnly = false }: PromptFieldsProps) {
  const texts = usePromptMessages();
  const fieldOf = (name: keyof PromptDraft) => ({
    value: draft[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value }),
    error: errors[name],
    isReadOnly,
  });
  return (
    <>
      <TextField {...fieldOf('title')} label={texts.promptTitle} maxLength={100} />
      <TextField {...fieldOf('command')} label={texts.command} help={texts.commandHelp} maxLength={50} autoComplete="off" />
      <TextField {...fieldOf('description')} label={texts.promptDescription} maxLength={1_000} />
      <TextField {...fieldOf('text')} label={texts.text} help={texts.textHelp} maxLength={16_384} rows={8} />
    </>
  );
}
