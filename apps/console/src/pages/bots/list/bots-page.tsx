import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useBotTransferMessages } from '../../../messages/bot-transfer-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { mayCreateBots, useMe } from '../../../session/use-me.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { Paged } from '../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { BOT_KINDS, type BotKind, botsOf } from './bot-kinds.ts';
import { BotTable } from './bot-table.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ImportDialog = lazyPart(() => import('../transfer/import-dialog.tsx'), 'ImportDialog');

const route = getRouteApi('/signed-in/bots');

export function BotsPage() {
  const { list } = useMessages().bots;
  const transfer = useBotTransferMessages();
  const [isImporting, setImporting] = useState(false);
  const { kind = 'mine', token } = route.useSearch();
  const me = useMe();
  const bots = useQuery({ queryKey: ['bots', kind, token ?? null], queryFn: () => botsOf(kind, token) });
  return (
    <Page
      title={list.title}
      description={list.description}
      isWide
      actions={
        mayCreateBots(me) && (
          <>
            <Button onPress={() => setImporting(true)}>
              <Upload aria-hidden className="size-4" />
              {transfer.import}
            </Button>
            <LinkButton look="primary" href="/bots/new">
              <Plus aria-hidden className="size-4" />
              {list.newBot}
            </LinkButton>
          </>
        )
      }
    >
      <nav aria-label={list.kinds.label} className="flex gap-1 overflow-x-auto border-b border-line">
        {BOT_KINDS.map((each) => (
          <Link
            key={each}
            to="/bots"
            search={{ kind: each === 'mine' ? undefined : each }}
            aria-current={each === kind ? 'page' : undefined}
            className="flex min-h-10 items-center border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text max-sm:min-h-11"
          >
            {list.kinds[each]}
          </Link>
        ))}
      </nav>
      <Paged query={bots} token={token}>
        {(data) => <BotTable kind={kind} bots={data.bots} empty={<NoBots kind={kind} mayCreate={mayCreateBots(me)} />} />}
      </Paged>
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function NoBots({ kind, mayCreate }: { readonly kind: BotKind; readonly mayCreate: boolean }) {
  const { list } = useMessages().bots;
  if (kind === 'mine' && mayCreate)
    return (
      <EmptyState
        {...list.empty.mine}
        action={
          <LinkButton look="primary" href="/bots/new">
            {list.newBot}
          </LinkButton>
        }
      />
    );
  const texts = kind === 'mine' ? list.empty.mineNotAllowed : list.empty[kind];
  return <EmptyState {...texts} action={<LinkButton href="/store">{list.toStore}</LinkButton>} />;
}
