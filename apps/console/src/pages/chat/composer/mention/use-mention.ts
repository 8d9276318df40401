import { type RefObject, useEffect, useState } from 'react';
import { type Mention, mentionAt } from './mention.ts';

interface MentionState {
  readonly mention: Mention | null;
  /** Reads the position of the cursor, after it has moved. */
  readonly onCursor: () => void;
  readonly onLeave: () => void;
  readonly onDismiss: () => void;
}

/** The mention at the cursor of the field, unless the user has closed its list. */
export function useMention(field: RefObject<HTMLTextAreaElement | null>, text: string): MentionState {
  const [cursor, setCursor] = useState(-1);
  const [dismissed, setDismissed] = useState(-1);
  const found = cursor < 0 ? null : mentionAt(text, cursor);
  const start = found?.start ?? -1;
  useEffect(() => {
    if (start < 0) setDismissed(-1);
  }, [start]);
  return {
    mention: start === dismissed ? null : found,
    onCursor: () => {
      const { selectionStart, selectionEnd } = field.current!;
      setCursor(selectionStart === selectionEnd ? selectionStart : -1);
    },
    onLeave: () => setCursor(-1),
    onDismiss: () => setDismissed(start),
  };
}
