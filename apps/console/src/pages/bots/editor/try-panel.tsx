import { RotateCcw, SendHorizontal, Square, X } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatMoney, formatNumber } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { sendsMessage, TextField } from '../../../ui/fields/index.ts';
import { toastError } from '../../../ui/toasts.tsx';
import { useTryChat } from './try-chat.ts';
import type { Turn } from './try-turn.ts';

interface TryPanelProps {
  readonly botId: string;
  readonly isDirty: boolean;
  readonly onClose: () => void;
}

export function TryPanel({ botId, isDirty, onClose }: TryPanelProps) {
  const { try: texts } = useMessages().bots.editor;
  const { turns, send, stop, startOver, isWriting } = useTryChat(botId);
  const [text, setText] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLFormElement>(null);
  // `scrollIntoView` returns a promise in new browsers, and an effect must not.
  useEffect(() => {
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  useEffect(() => field.current?.querySelector('textarea')?.focus(), []);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '' || isWriting) return;
    setText('');
    void send(text.trim());
  };

  return (
    <section
      aria-label={texts.title}
      className="sticky top-4 flex h-[calc(100dvh-2rem)] flex-col overflow-hidden rounded-md border border-line bg-raised max-xl:static max-xl:-order-1 max-xl:h-[32rem]"
    >
      <header className="flex items-center gap-1 border-b border-line py-1 ps-4 pe-1">
        <h2 className="grow text-md font-semibold">{texts.title}</h2>
        <IconButton label={texts.over} onPress={startOver} isDisabled={turns.length === 0}>
          <RotateCcw aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={texts.close} onPress={onClose}>
          <X aria-hidden className="size-4.5" />
        </IconButton>
      </header>
      <div className="flex min-h-0 grow flex-col gap-5 overflow-y-auto p-4" tabIndex={0} role="region" aria-label={texts.title}>
        {turns.length === 0 && <p className="m-auto max-w-60 text-center text-sm text-muted">{texts.empty}</p>}
        {turns.map((turn, index) => (
          <TurnView key={index} turn={turn} />
        ))}
        <div ref={end} />
      </div>
      <p role="status" className="sr-only">
        {turns.length > 0 && (isWriting ? texts.writing : texts.written)}
      </p>
      <form ref={field} onSubmit={submit} className="flex flex-col gap-2 border-t border-line p-3">
        <TextField
          label={texts.message}
          value={text}
          onChange={setText}
          rows={2}
          onKeyDown={(event) => {
            if (sendsMessage(event)) {
              event.preventDefault();
              submit();
            }
          }}
        />
        <div className="flex items-center gap-2">
          <p className="grow text-xs text-muted">{isDirty ? texts.unsaved : texts.note}</p>
          {isWriting ? (
            <Button onPress={() => void stop().catch(toastError)}>
              <Square aria-hidden className="size-4" />
              {texts.stop}
            </Button>
          ) : (
            <Button type="submit" look="primary" isDisabled={text.trim() === ''}>
              <SendHorizontal aria-hidden className="size-4" />
              {texts.send}
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

function TurnView({ turn }: { readonly turn: Turn }) {
  const { try: texts } = useMessages().bots.editor;
  return (
    <article className="flex flex-col gap-3 text-sm">
      <p className="ms-8 self-end rounded-md bg-accent-soft px-3 py-2 whitespace-pre-wrap">
        <span className="sr-only">{texts.you}: </span>
        {turn.question}
      </p>
      <div>
        <span className="sr-only">{texts.bot}: </span>
        {turn.tools.map((name) => (
          <p key={name} className="text-xs text-muted">
            {texts.tool(name)}
          </p>
        ))}
        <p className="whitespace-pre-wrap">{turn.text}</p>
        {turn.state === 'writing' && turn.text === '' && (
          <span aria-hidden className="inline-block size-4 animate-spin rounded-full border-2 border-line border-t-accent" />
        )}
        {turn.note !== '' && <p className={turn.state === 'failed' ? 'text-bad' : 'text-muted'}>{turn.note}</p>}
      </div>
      {turn.citations.length > 0 && (
        <details>
          <summary className="min-h-8 cursor-pointer text-xs font-medium text-muted">
            {texts.sources} ({turn.citations.length})
          </summary>
          <ol className="flex flex-col gap-2 pt-1">
            {turn.citations.map(({ rank, source_name: name, page_number: page, content }) => (
              <li key={rank} className="rounded-sm border border-line p-2 text-xs">
                <p className="font-medium">
                  {rank}. {name}
                  {page !== null && `, ${texts.page(page)}`}
                </p>
                <p className="line-clamp-4 text-muted">{content}</p>
              </li>
            ))}
          </ol>
        </details>
      )}
      {turn.cost && <p className="text-xs text-muted">{texts.cost(formatMoney(turn.cost.dollars), formatNumber(turn.cost.tokens))}</p>}
    </article>
  );
}
