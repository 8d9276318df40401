import type { Bot } from '@parlance/client/types';
import { MessageSquare, Share2, Star } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { isAdmin, useMe } from '../../../session/use-me.ts';
import { Button, IconButton, LinkButton } from '../../../ui/button.tsx';
import { useTitle } from '../../../ui/page.tsx';
import { type TabLink, TabLinks } from '../../../ui/tabs.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { BotIcon } from '../icon/bot-icon.tsx';
import { useMayShare } from '../bot-queries.ts';
import { BotMenu } from './bot-menu.tsx';
import { PublishedTag, ScopeTag, SyncTag } from './bot-tags.tsx';
import { star } from './star.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), 'ShareDialog');

export function BotHeader({ bot }: { readonly bot: Bot }) {
  const { header } = useMessages().bots;
  const me = useMe();
  const mayShare = useMayShare(bot);
  const [isSharing, setSharing] = useState(false);
  useTitle(bot.title);

  const tabs: TabLink[] = [
    ...(bot.editable ? [{ name: header.edit, to: '/bots/$botId/edit' }] : []),
    ...(bot.editable ? [{ name: header.knowledge, to: '/bots/$botId/knowledge' }] : []),
    ...(mayShare ? [{ name: header.history, to: '/bots/$botId/history' }] : []),
    ...(mayShare ? [{ name: header.publish, to: '/bots/$botId/publish' }] : []),
    ...(mayShare && isAdmin(me) ? [{ name: header.insights, to: '/bots/$botId/insights' }] : []),
  ].map((tab) => ({ ...tab, params: { botId: bot.id } }));

  return (
    <>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="flex min-w-0 grow basis-80 items-start gap-4">
          <BotIcon bot={bot} size="large" />
          <div className="min-w-0">
            <h1 className="text-xl font-semibold">{bot.title}</h1>
            {bot.description !== '' && <p className="mt-1 line-clamp-2 text-sm text-muted">{bot.description}</p>}
            <p className="mt-2 flex flex-wrap gap-1.5" role="status">
              <ScopeTag bot={bot} />
              <PublishedTag bot={bot} />
              {(bot.has_knowledge || bot.sync_status !== 'SUCCEEDED') && <SyncTag status={bot.sync_status} />}
            </p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <IconButton
            label={bot.is_starred ? header.unstar : header.star}
            onPress={() => void star(bot.id, !bot.is_starred).catch(toastError)}
          >
            <Star aria-hidden className={`size-5 ${bot.is_starred ? 'fill-current text-accent' : ''}`} />
          </IconButton>
          {(bot.editable || mayShare) && <BotMenu bot={bot} mayDelete={mayShare} />}
          {mayShare && (
            <Button onPress={() => setSharing(true)}>
              <Share2 aria-hidden className="size-4" />
              {header.share}
            </Button>
          )}
          <LinkButton look="primary" href={`/?bot=${bot.id}`}>
            <MessageSquare aria-hidden className="size-4" />
            {header.chat}
          </LinkButton>
        </div>
      </header>
      {tabs.length > 0 && <TabLinks label={header.pages} tabs={tabs} />}
      {isSharing && (
        <Suspense>
          <ShareDialog bot={bot} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  );
}
