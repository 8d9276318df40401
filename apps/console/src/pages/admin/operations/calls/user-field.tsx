import { useState } from 'react';
import { useCallMessages } from '../../../../messages/call-messages.ts';
import { SubjectPicker } from '../budgets/subject-picker.tsx';

interface Props {
  readonly userId: string;
  /** Undefined while it is being loaded. */
  readonly name: string | undefined;
  readonly onChange: (userId: string) => void;
}

/** Finds the user whose calls are shown. */
export function UserField({ userId, name, onChange }: Props) {
  const texts = useCallMessages();
  /** Null until the user types. */
  const [text, setText] = useState<string | null>(null);
  const change = (typed: string, id: string) => {
    setText(typed);
    onChange(id);
  };
  return <SubjectPicker kind="user" label={texts.user} text={text ?? name ?? userId} onChange={change} />;
}
