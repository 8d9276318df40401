import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type TypedName, typedNameAt, withAt } from './typed-name.ts';

interface TypedNameState {
  readonly typed: TypedName | null;
  /** Reads the position of the cursor, after it has moved. */
  readonly onCursor: () => void;
  readonly onLeave: () => void;
  readonly onDismiss: () => void;
  /** Begins the name of a bot, for users who press the button. */
  readonly begin: () => void;
}

/** The name at the cursor of the field, unless the user has closed its list. */
export function useTypedName(field: RefObject<HTMLTextAreaElement | null>, text: string, type: (text: string) => void): TypedNameState {
  const [cursor, setCursor] = useState(-1);
  const [dismissed, setDismissed] = useState(-1);
  const found = cursor < 0 ? null : typedNameAt(text, cursor);
  const start = found?.start ?? -1;
  useEffect(() => {
    if (start < 0) setDismissed(-1);
  }, [start]);
  const onCursor = () => {
    const { selectionStart, selectionEnd } = field.current!;
    setCursor(selectionStart === selectionEnd ? selectionStart : -1);
  };
  const begin = () => {
    const element = field.current!;
    const next = withAt(text, element.selectionStart);
    // The cursor can only be set in the new text.
    flushSync(() => type(next.text));
    element.focus();
    element.setSelectionRange(next.cursor, next.cursor);
    onCursor();
  };
  return {
    typed: start === dismissed ? null : found,
    onCursor,
    begin,
    onLeave: () => setCursor(-1),
    onDismiss: () => setDismissed(start),
  };
}
