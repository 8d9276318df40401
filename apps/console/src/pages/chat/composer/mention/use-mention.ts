import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Mention, mentionAt, withAt } from './mention.ts';

interface MentionState {
  readonly mention: Mention | null;
  /** Reads the position of the cursor, after it has moved. */
  readonly onCursor: () => void;
  readonly onLeave: () => void;
  readonly onDismiss: () => void;
  /** Begins a mention, for users who press the button. */
  readonly begin: () => void;
}

/** The mention at the cursor of the field, unless the user has closed its list. */
export function useMention(field: RefObject<HTMLTextAreaElement | null>, text: string, type: (text: string) => void): MentionState {
  const [cursor, setCursor] = useState(-1);
  const [dismissed, setDismissed] = useState(-1);
  const found = cursor < 0 ? null : mentionAt(text, cursor);
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
    mention: start === dismissed ? null : found,
    onCursor,
    begin,
    onLeave: () => setCursor(-1),
    onDismiss: () => setDismissed(start),
  };
}
