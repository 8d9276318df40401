import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useBotChoiceMessages } from '../../../../messages/bot-choice-messages.ts';
import { BotIcon } from '../../../bots/shelf/bot-icon.tsx';
import { BotMarks } from '../../../bots/shelf/bot-marks.tsx';
import type { ShelfBot } from '../../../bots/shelf/shelf.ts';
import { useMentionedBots } from './use-mentioned-bots.ts';

interface Props {
  /** The message field, which keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly query: string;
  readonly onChoose: (bot: ShelfBot) => void;
  readonly onDismiss: () => void;
}

/** The height that the list may need, in pixels. */
const HEIGHT = 300;

/** The bots that match the mention in the message field. The arrow keys choose one, Enter or Tab takes it, Escape closes the list. */
export function MentionList({ field, query, onChoose, onDismiss }: Props) {
  const texts = useBotChoiceMessages();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const { bots, isSearching } = useMentionedBots(query);
  const [index, setIndex] = useState(0);
  const [isBelow] = useState(() => (field.current?.getBoundingClientRect().top ?? HEIGHT) < HEIGHT);
  const active = Math.min(index, bots.length - 1);
  const chosen = bots[active];
  useEffect(() => setIndex(0), [query]);

  useEffect(() => {
    const element = field.current;
    if (!element) return undefined;
    element.setAttribute('aria-controls', id);
    if (chosen) element.setAttribute('aria-activedescendant', `${id}-${chosen.id}`);
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    return () => {
      element.removeAttribute('aria-controls');
      element.removeAttribute('aria-activedescendant');
    };
  }, [field, id, chosen]);

  useEffect(() => {
    const element = field.current;
    // Before the field's own handler, which sends the message.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      const count = bots.length;
      const act: Record<string, (() => void) | undefined> = {
        ArrowDown: count > 0 ? () => setIndex((active + 1) % count) : undefined,
        ArrowUp: count > 0 ? () => setIndex((active - 1 + count) % count) : undefined,
        // A bot may still be found: Enter does not send the message yet.
        Enter: chosen ? () => onChoose(chosen) : isSearching ? () => undefined : undefined,
        Tab: chosen && (() => onChoose(chosen)),
        Escape: onDismiss,
      };
      const action = act[event.key];
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [field, bots, active, chosen, isSearching, onChoose, onDismiss]);

  const status = bots.length > 0 ? texts.found(bots.length) : isSearching ? texts.searching : query === '' ? texts.noBots : texts.noMatch;
  return (
    <div
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className={`absolute inset-x-0 z-30 flex flex-col rounded-md border border-line bg-raised p-1 shadow-raised ${isBelow ? 'top-full mt-1' : 'bottom-full mb-1'}`}
    >
      <ul ref={list} id={id} role="listbox" aria-label={texts.listLabel} tabIndex={0} className="max-h-60 overflow-y-auto empty:hidden">
        {bots.map((bot, at) => (
          <li
            key={bot.id}
            id={`${id}-${bot.id}`}
            role="option"
            aria-selected={at === active}
            onMouseMove={() => setIndex(at)}
            onClick={() => onChoose(bot)}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 aria-selected:bg-accent-soft"
          >
            <BotIcon title={bot.title} />
            <span className="flex min-w-0 grow flex-col">
              <span dir="auto" className="truncate text-sm font-medium">
                {bot.title}
              </span>
              {bot.description !== '' && (
                <span dir="auto" className="truncate text-xs text-muted">
                  {bot.description}
                </span>
              )}
            </span>
            <BotMarks bot={bot} />
          </li>
        ))}
      </ul>
      <p role="status" className={bots.length > 0 ? 'sr-only' : 'px-2.5 py-2 text-sm text-muted'}>
        {status}
      </p>
      {bots.length > 0 && <p className="border-t border-line px-2.5 pt-1.5 pb-0.5 text-xs text-muted">{texts.startsChat}</p>}
    </div>
  );
}
