import { Check, LoaderCircle, Mic, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { longForm } from '../../../api/long-request.ts';
import { useSpeechMessages } from '../../../messages/speech-messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { canRecord, LONGEST_MILLIS, record, type Recording } from './recording.ts';
import { withWords } from './with-words.ts';

interface Props {
  readonly model: string;
  readonly isDisabled: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Returns what is in the field now. */
  readonly text: () => string;
  readonly type: (text: string) => void;
}

type Phase = 'off' | 'on' | 'writing';

/** Records what the user says, and puts it into the field as text. */
export function Dictation({ model, isDisabled, field, text, type }: Props) {
  const texts = useSpeechMessages();
  const [phase, setPhase] = useState<Phase>('off');
  const recording = useRef<Recording | null>(null);
  const isAsking = useRef(false);
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => {
      stop.current.abort();
      recording.current?.discard();
    };
  }, []);
  useEffect(() => {
    if (phase !== 'on') return;
    const timer = setTimeout(() => void writeDown(), LONGEST_MILLIS);
    return () => clearTimeout(timer);
  }, [phase]);

  const begin = async () => {
    // The browser may be asking the user since an earlier press.
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      const begun = await record();
      if (stop.current.signal.aborted) return begun.discard();
      recording.current = begun;
      setPhase('on');
    } catch {
      toastError(texts.noMicrophone);
    } finally {
      isAsking.current = false;
    }
  };
  /** Ends the recording. Its buttons disappear, so the focus moves to the field. */
  const ended = (next: Phase): Recording | null => {
    const its = recording.current;
    recording.current = null;
    field.current?.focus();
    setPhase(next);
    return its;
  };
  const writeDown = async () => {
    if (recording.current === null) return;
    const over = ended('writing')!;
    const { signal } = stop.current;
    try {
      const file = await over.stop();
      const words = file && (await wordsIn(file, model, signal));
      if (signal.aborted) return;
      if (!words) toastError(texts.nothingHeard);
      else insert(words);
    } catch (error) {
      if (!signal.aborted) toastError(error);
    }
    setPhase('off');
  };
  const insert = (words: string) => {
    const next = withWords(text(), field.current?.selectionStart ?? text().length, words);
    // The cursor can only be set in the new text.
    flushSync(() => type(next.text));
    field.current?.setSelectionRange(next.cursor, next.cursor);
  };

  if (!canRecord()) return null;
  return (
    <span className={`flex items-center gap-1 text-xs ${phase === 'off' ? '' : 'rounded-sm bg-surface ps-2'}`}>
      <span role="status" className="flex items-center gap-2 empty:hidden">
        {phase === 'on' && <span aria-hidden className="size-2 shrink-0 animate-pulse rounded-full bg-bad" />}
        {phase === 'writing' && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
        {phase !== 'off' && (
          <span className="whitespace-nowrap max-sm:sr-only">{phase === 'on' ? texts.recording : texts.writingDown}</span>
        )}
      </span>
      {phase === 'off' && (
        <IconButton label={texts.dictate} isDisabled={isDisabled} onPress={() => void begin()}>
          <Mic aria-hidden className="size-4.5" />
        </IconButton>
      )}
      {phase === 'on' && (
        <>
          <IconButton label={texts.discard} onPress={() => ended('off')?.discard()}>
            <X aria-hidden className="size-4" />
          </IconButton>
          <IconButton autoFocus label={texts.writeDown} onPress={() => void writeDown()}>
            <Check aria-hidden className="size-4" />
          </IconButton>
        </>
      )}
    </span>
  );
}

async function wordsIn(file: File, model: string, signal: AbortSignal): Promise<string> {
  const form = new FormData();
  form.set('model', model);
  form.set('file', file);
  const { text } = await longForm<{ readonly text: string }>('/v1/audio/transcriptions', form, signal);
  return text.trim();
}
