import type { PublicBotUsage } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatMoney } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { Checkbox } from '../../../../ui/fields/index.ts';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page, Section } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { BotIcon } from '../../../bots/icon/bot-icon.tsx';
import { type PinnedItem, pinnedBotsQuery, publicBotsQuery } from '../queries.ts';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { PinnedBots } from './pinned-bots.tsx';
import { type Pins, usePins } from './use-pins.ts';

const route = getRouteApi('/signed-in/admin/bots');
const NONE: readonly PinnedItem[] = [];

export function BotsPage() {
  const { admin } = useAdminMessages();
  const texts = admin.people.bots;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const shared = useQuery(publicBotsQuery(search));
  const pinned = useQuery(pinnedBotsQuery);
  const pins = usePins(pinned.data?.bots ?? NONE);
  const columns = useColumns(new Set(pinned.data?.bots.map(({ id }) => id)), pins);
  return (
    <Page
      title={admin.pages.bots}
      description={texts.description}
      isWide
      actions={<CsvButton onDownload={() => downloadCsv('/admin/public-bots', { include_all: search.used !== true }, 'bots.csv')} />}
    >
      <Section title={texts.pins} description={texts.pinsText}>
        <Loaded query={pinned}>
          {({ bots, hasMore }) => (
            <>
              <PinnedBots bots={bots} pins={pins} />
              {hasMore && <p className="text-xs text-muted">{texts.morePins}</p>}
            </>
          )}
        </Loaded>
      </Section>
      <section className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-md font-semibold">{texts.label}</h2>
          <Checkbox
            isSelected={search.used === true}
            onChange={(used) => void navigate({ search: { used: used || undefined }, replace: true, resetScroll: false })}
          >
            {texts.usedOnly}
          </Checkbox>
        </div>
        <Paged query={shared} token={search.token}>
          {({ bots }) => (
            <Table
              label={texts.label}
              columns={columns}
              rows={bots}
              keyOf={({ id }) => id}
              empty={<EmptyState title={search.used === true ? texts.emptyUsed : texts.emptyTitle} text={texts.emptyText} />}
            />
          )}
        </Paged>
      </section>
    </Page>
  );
}

function useColumns(pinned: ReadonlySet<string>, pins: Pins): readonly Column<PublicBotUsage>[] {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.bots;
  return [
    {
      id: 'bot',
      name: texts.bot,
      cell: (bot) => (
        <div className="flex min-w-52 items-center gap-3">
          <BotIcon bot={bot} />
          <div className="min-w-0">
            <Link to="/admin/bots/$botId" params={{ botId: bot.id }} className={`font-medium ${linkLook}`}>
              {bot.title}
            </Link>
            <p className="line-clamp-1 text-xs text-muted">{bot.description}</p>
          </div>
        </div>
      ),
    },
    { id: 'scope', name: texts.scope, cell: ({ shared_scope }) => texts.scopes[shared_scope] },
    {
      id: 'status',
      name: texts.status,
      cell: ({ id, is_published }) => (
        <span className="flex flex-wrap gap-1">
          {pinned.has(id) && <Tag tone="accent">{texts.pinned}</Tag>}
          {is_published && <Tag tone="ok">{texts.published}</Tag>}
        </span>
      ),
    },
    { id: 'cost', name: texts.cost, align: 'end', cell: ({ total_price }) => formatMoney(total_price) },
    {
      id: 'actions',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: (bot) =>
        pinned.has(bot.id) ? (
          <Button size="small" aria-label={texts.unpin(bot.title)} onPress={() => pins.unpin(bot)}>
            {texts.unpinShort}
          </Button>
        ) : (
          <Button size="small" aria-label={texts.pin(bot.title)} onPress={() => pins.pin(bot)}>
            {texts.pinShort}
          </Button>
        ),
    },
  ];
}
