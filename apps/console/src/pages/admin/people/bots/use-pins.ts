import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { type PinnedItem, pinnedBotsQuery } from '../queries.ts';
import { moved, orderOf, ordersFor, statusOf } from './pin-order.ts';

type Change = { readonly list: readonly PinnedItem[]; readonly at: number };

const put = (botId: string, body: { to_pinned: boolean; order?: number }) =>
  parlance.api.patch('/admin/bot/{botId}/pushed', { path: { botId }, body });

/** Changes pins. The list shows its new order immediately, and is read again if a change is refused. */
export function usePins(pins: readonly PinnedItem[]) {
  const { bots: texts } = useAdminMessages().admin.people;
  const cache = useQueryClient();
  const show = (bots: readonly PinnedItem[]) =>
    cache.setQueryData(pinnedBotsQuery.queryKey, (page) => (page === undefined ? page : { ...page, bots }));
  const readAgain = () => cache.invalidateQueries({ queryKey: ['admin', 'bots'] });

  const order = useMutation({
    mutationFn: async ({ list, at }: Change) => {
      const changes = ordersFor(
        list.map(({ id, status }) => ({ id, order: orderOf(status) ?? 0 })),
        at,
      );
      if (changes === null) throw new Error(texts.noRoom);
      const orders = new Map(changes.map((change) => [change.id, change.order]));
      show(list.map((bot) => (orders.has(bot.id) ? { ...bot, status: statusOf(orders.get(bot.id)!) } : bot)));
      // One after another; usually there is only one.
      for (const change of changes) await put(change.id, { to_pinned: true, order: change.order });
    },
    onError: (error) => {
      toastError(error);
      void readAgain();
    },
  });
  const unpinning = useMutation({
    mutationFn: ({ id }: PinnedItem) => put(id, { to_pinned: false }),
    onSuccess: (_, bot) => {
      show(pins.filter(({ id }) => id !== bot.id));
      toast(texts.unpinnedNow(bot.title));
    },
    onError: toastError,
  });
  // The buttons stay enabled, because a disabled button loses the focus.
  const isBusy = order.isPending || unpinning.isPending;
  return {
    /** Moves a bot of the list to another position. */
    move: (from: number, to: number) => {
      if (isBusy || from === to || to < 0 || to >= pins.length) return;
      const title = pins[from]!.title;
      order.mutate({ list: moved(pins, from, to), at: to }, { onSuccess: () => toast(texts.moved(title, to + 1)) });
    },
    /** Pins a bot after all others. */
    pin: (bot: PinnedItem) => {
      if (isBusy) return;
      order.mutate({ list: [...pins, bot], at: pins.length }, { onSuccess: () => toast(texts.pinnedNow(bot.title)) });
    },
    unpin: (bot: PinnedItem) => {
      if (!isBusy) unpinning.mutate(bot);
    },
  };
}

export type Pins = ReturnType<typeof usePins>;
