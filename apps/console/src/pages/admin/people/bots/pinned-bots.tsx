import { ArrowDown, ArrowUp, GripVertical, PinOff } from 'lucide-react';
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from 'react-aria-components';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { BotIcon } from '../../../bots/icon/bot-icon.tsx';
import { type PinnedItem } from '../queries.ts';
import type { Pins } from './use-pins.ts';

/** Pinned bots in their order. They are moved by the pointer, by the keyboard from their handles, or with the arrows. */
export function PinnedBots({ bots, pins }: { readonly bots: readonly PinnedItem[]; readonly pins: Pins }) {
  const { bots: texts } = useAdminMessages().admin.people;
  // The focus stays on the row if the pressed button becomes disabled, and moves to the next row if the button disappears.
  const move = (from: number, to: number, button: Element) => {
    if (to === 0 || to === bots.length - 1) rowOf(button)?.focus();
    pins.move(from, to);
  };
  const unpin = (bot: PinnedItem, button: Element) => {
    const row = rowOf(button);
    const rows = [...(row?.parentElement?.querySelectorAll<HTMLElement>('[role=row]') ?? [])];
    const at = rows.findIndex((each) => each === row);
    (rows[at + 1] ?? rows[at - 1])?.focus();
    pins.unpin(bot);
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((id) => ({ 'text/plain': bots.find((bot) => bot.id === id)?.title ?? String(id) })),
    onReorder: ({ keys, target }) => {
      const from = bots.findIndex(({ id }) => keys.has(id));
      const over = bots.findIndex(({ id }) => id === target.key);
      if (from === over) return;
      // The position is counted without the moving bot.
      const position = from < over ? over - 1 : over;
      pins.move(from, target.dropPosition === 'after' ? position + 1 : position);
    },
    renderDropIndicator: (target) => (
      <DropIndicator target={target} className="data-[drop-target]:outline-2 data-[drop-target]:outline-accent" />
    ),
  });
  if (bots.length === 0) return <p className="text-sm text-muted">{texts.noPins}</p>;
  return (
    <GridList
      aria-label={texts.pins}
      items={bots}
      dependencies={[pins, bots]}
      dragAndDropHooks={dragAndDropHooks}
      className="flex flex-col divide-y divide-line rounded-md border border-line"
    >
      {(bot) => <PinnedBot bot={bot} position={bots.indexOf(bot)} count={bots.length} onMove={move} onUnpin={unpin} />}
    </GridList>
  );
}

const rowOf = (button: Element) => button.closest<HTMLElement>('[role=row]');

interface PinnedBotProps {
  readonly bot: PinnedItem;
  readonly position: number;
  readonly count: number;
  readonly onMove: (from: number, to: number, button: Element) => void;
  readonly onUnpin: (bot: PinnedItem, button: Element) => void;
}

function PinnedBot({ bot, position, count, onMove, onUnpin }: PinnedBotProps) {
  const { bots: texts } = useAdminMessages().admin.people;
  return (
    <GridListItem
      id={bot.id}
      textValue={bot.title}
      className="flex min-h-11 items-center gap-1 px-1 data-[dragging]:opacity-50 data-[focus-visible]:-outline-offset-2"
    >
      <AriaButton
        slot="drag"
        aria-label={texts.move(bot.title)}
        className="inline-flex size-9 shrink-0 cursor-grab items-center justify-center rounded-sm text-muted hover:bg-surface max-sm:hidden"
      >
        <GripVertical aria-hidden className="size-4" />
      </AriaButton>
      <span className="w-6 shrink-0 text-end text-xs text-muted tabular-nums">{position + 1}</span>
      <BotIcon bot={bot} />
      <span className="min-w-0 grow px-2 text-sm font-medium">{bot.title}</span>
      <IconButton label={texts.up(bot.title)} isDisabled={position === 0} onPress={({ target }) => onMove(position, position - 1, target)}>
        <ArrowUp aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label={texts.down(bot.title)}
        isDisabled={position === count - 1}
        onPress={({ target }) => onMove(position, position + 1, target)}
      >
        <ArrowDown aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={texts.unpin(bot.title)} onPress={({ target }) => onUnpin(bot, target)}>
        <PinOff aria-hidden className="size-4" />
      </IconButton>
    </GridListItem>
  );
}
