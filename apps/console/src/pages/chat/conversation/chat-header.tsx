import type { BotSummary } from '@parlance/client/types';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../../app/phone-header.tsx';
import { useMessages } from '../../../messages/index.ts';
import { formatMoney } from '../../../messages/format.ts';
import { Tag } from '../../../ui/tag.tsx';
import { BotIcon } from '../../bots/icon/bot-icon.tsx';
import { ChatMenu } from '../list/chat-menu.tsx';
import { listed } from '../list/listed-chat.ts';
import type { LoadedConversation } from './loaded-conversation.ts';

export function ChatHeader({ conversation, bot }: { readonly conversation: LoadedConversation; readonly bot: BotSummary | null }) {
  const { chat } = useMessages();
  const { title, total_price, temporary } = conversation;
  return (
    <PageHeader className="flex min-h-12 items-center gap-3 py-1 md:px-4">
      {bot && <BotIcon bot={bot} />}
      <div className="min-w-0 grow">
        <h1 dir="auto" className="truncate text-sm font-semibold">
          {title || chat.untitled}
        </h1>
        {bot && (
          <p className="flex text-xs text-muted">
            <Link to="/" search={{ bot: bot.id }} className="truncate hover:underline">
              {bot.title}
            </Link>
          </p>
        )}
      </div>
      {temporary && <Tag tone="warn">{chat.temporary}</Tag>}
      {total_price > 0 && (
        <span className="text-xs whitespace-nowrap text-muted" title={chat.costOfChat}>
          <span className="sr-only">{chat.costOfChat}: </span>
          {formatMoney(total_price)}
        </span>
      )}
      <ChatMenu chat={listed(conversation, chat.untitled)} isTemporary={temporary} className="print:hidden" />
    </PageHeader>
  );
}
