import type { BotItem } from '@parlance/client/types';
import { Link } from '@tanstack/react-router';
import { MessageSquare, Star, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { formatAge, formatDate } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { IconButton, LinkButton } from '../../../ui/button.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { BotIcon } from '../icon/bot-icon.tsx';
import { PublishedTag, ScopeTag, SyncTag } from '../header/bot-tags.tsx';
import { star } from '../header/star.ts';
import type { BotKind } from './bot-kinds.ts';

interface BotTableProps {
  readonly kind: BotKind;
  readonly bots: readonly BotItem[];
  readonly empty: ReactNode;
}

export function BotTable({ kind, bots, empty }: BotTableProps) {
  const {
    common,
    bots: { list },
  } = useMessages();
  const forget = async (botId: string) => {
    try {
      await parlance.api.delete('/bot/{botId}/recently-used', { path: { botId } });
      await queryClient.invalidateQueries({ queryKey: ['bots'] });
      toast(list.forgotten);
    } catch (error) {
      toastError(error);
    }
  };
  const columns: Column<BotItem>[] = [
    {
      id: 'bot',
      name: list.bot,
      cell: (bot) => (
        <div className="flex max-w-md min-w-48 items-center gap-3 py-0.5 max-sm:max-w-none">
          <BotIcon bot={bot} />
          <div className="min-w-0">
            <Link to="/bots/$botId/edit" params={{ botId: bot.id }} className="font-medium text-text hover:text-accent hover:underline">
              {bot.title}
            </Link>
            {bot.description !== '' && <p className="line-clamp-1 text-xs text-muted">{bot.description}</p>}
          </div>
        </div>
      ),
    },
    {
      id: 'sharing',
      name: list.sharing,
      cell: (bot) => (
        <span className="flex flex-wrap gap-1">
          <ScopeTag bot={bot} />
          <PublishedTag bot={bot} />
        </span>
      ),
    },
    {
      id: 'knowledge',
      name: list.knowledge,
      cell: ({ sync_status: status }) =>
        status === 'SUCCEEDED' ? <span className="text-muted">{list.ready}</span> : <SyncTag status={status} />,
    },
    kind === 'recent'
      ? { id: 'used', name: list.used, cell: ({ last_used_time: time }) => (time === null ? '–' : formatAge(time)) }
      : {
          id: 'created',
          name: list.created,
          cell: ({ create_time: time }) => <span className="whitespace-nowrap">{formatDate(time)}</span>,
        },
    {
      id: 'actions',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: ({ id, title, is_starred: isStarred }) => (
        <span className="flex items-center justify-end gap-1">
          <IconButton label={isStarred ? list.unstar(title) : list.star(title)} onPress={() => void star(id, !isStarred).catch(toastError)}>
            <Star aria-hidden className={`size-4.5 ${isStarred ? 'fill-current text-accent' : ''}`} />
          </IconButton>
          {kind === 'recent' && (
            <IconButton label={list.forget(title)} onPress={() => void forget(id)}>
              <X aria-hidden className="size-4.5" />
            </IconButton>
          )}
          <LinkButton size="small" href={`/?bot=${id}`} aria-label={list.chatWith(title)}>
            <MessageSquare aria-hidden className="size-4" />
            {list.chat}
          </LinkButton>
        </span>
      ),
    },
  ];
  return <Table hasCards label={list.table} columns={columns} rows={bots} keyOf={({ id }) => id} empty={empty} />;
}
