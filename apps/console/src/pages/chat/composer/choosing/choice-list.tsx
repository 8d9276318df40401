import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';

interface ChoiceListProps<Item> {
  /** The message field, which keeps the focus. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** What the items match. Another text chooses the first item again. */
  readonly query: string;
  readonly items: readonly Item[];
  /** Whether more items may be found. */
  readonly isSearching: boolean;
  readonly label: string;
  readonly status: string;
  /** What a choice does. */
  readonly hint?: string;
  readonly onChoose: (item: Item) => void;
  readonly onDismiss: () => void;
  readonly children: (item: Item) => ReactNode;
}

/** The height that the list may need, in pixels. */
const HEIGHT = 300;

/** What can be chosen at the cursor of the message field. The arrow keys choose an item, Enter or Tab takes it, Escape closes the list. */
export function ChoiceList<Item extends { readonly id: string }>({
  field,
  query,
  items,
  isSearching,
  label,
  status,
  hint,
  onChoose,
  onDismiss,
  children,
}: ChoiceListProps<Item>) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  const [isBelow] = useState(() => (field.current?.getBoundingClientRect().top ?? HEIGHT) < HEIGHT);
  const active = Math.min(index, items.length - 1);
  const chosen = items[active];
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
      const count = items.length;
      const act: Record<string, (() => void) | undefined> = {
        ArrowDown: count > 0 ? () => setIndex((active + 1) % count) : undefined,
        ArrowUp: count > 0 ? () => setIndex((active - 1 + count) % count) : undefined,
        // An item may still be found: Enter does not send the message yet.
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
  }, [field, items, active, chosen, isSearching, onChoose, onDismiss]);

  return (
    <div
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className={`absolute inset-x-0 z-30 flex flex-col rounded-md border border-line bg-raised p-1 shadow-raised ${isBelow ? 'top-full mt-1' : 'bottom-full mb-1'}`}
    >
      <ul ref={list} id={id} role="listbox" aria-label={label} tabIndex={0} className="max-h-60 overflow-y-auto empty:hidden">
        {items.map((item, at) => (
          <li
            key={item.id}
            id={`${id}-${item.id}`}
            role="option"
            aria-selected={at === active}
            onMouseMove={() => setIndex(at)}
            onClick={() => onChoose(item)}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 aria-selected:bg-accent-soft"
          >
            {children(item)}
          </li>
        ))}
      </ul>
      <p role="status" className={items.length > 0 ? 'sr-only' : 'px-2.5 py-2 text-sm text-muted'}>
        {status}
      </p>
      {items.length > 0 && hint !== undefined && <p className="border-t border-line px-2.5 pt-1.5 pb-0.5 text-xs text-muted">{hint}</p>}
    </div>
  );
}

/** The name of an item, with a line that describes it. */
export function ChoiceText({ name, description }: { readonly name: string; readonly description: string }) {
  return (
    <span className="flex min-w-0 grow flex-col">
      <span dir="auto" className="truncate text-sm font-medium">
        {name}
      </span>
      {description !== '' && (
        <span dir="auto" className="truncate text-xs text-muted">
          {description}
        </span>
      )}
    </span>
  );
}
