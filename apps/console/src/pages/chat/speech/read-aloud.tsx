import { LoaderCircle, Square, Volume2 } from 'lucide-react';
import { useEffect } from 'react';
import { useSpeechMessages } from '../../../messages/speech-messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { readAloud, type Speech, stopReading, useReading } from './reading.ts';
import { spokenPieces } from './spoken-text.ts';

interface Props {
  readonly replyId: string;
  readonly text: string;
  readonly speech: Speech;
}

/** Reads a reply aloud, and stops. */
export function ReadAloud({ replyId, text, speech }: Props) {
  const texts = useSpeechMessages();
  const state = useReading(replyId);
  useEffect(() => () => stopReading(replyId), [replyId]);
  const read = async () => {
    const pieces = spokenPieces(text);
    if (pieces.length === 0) return toastError(texts.nothingToRead);
    try {
      await readAloud(replyId, pieces, speech);
    } catch (error) {
      toastError(error instanceof DOMException ? texts.noSound : error);
    }
  };
  if (state === null)
    return (
      <IconButton label={texts.readAloud} onPress={() => void read()}>
        <Volume2 aria-hidden className="size-4" />
      </IconButton>
    );
  return (
    <IconButton label={texts.stopReading} onPress={() => stopReading(replyId)}>
      {state === 'loading' ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        <Square aria-hidden className="size-3.5 fill-current" />
      )}
    </IconButton>
  );
}
