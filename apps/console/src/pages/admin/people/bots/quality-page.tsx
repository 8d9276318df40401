import type { BotQuality } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { formatNumber, formatPercent, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Select } from '../../../../ui/fields/index.ts';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { BotIcon } from '../../../bots/icon/bot-icon.tsx';
import { qualityQuery } from '../queries.ts';
import { type DayCount, DEFAULT_DAYS, QUALITY_ORDERS } from '../search.ts';
import { DaysChoice } from './days-choice.tsx';

const route = getRouteApi('/signed-in/admin/quality');

/** Which bots are rated badly, and which are asked most. */
export function QualityPage() {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.bots;
  const { days = DEFAULT_DAYS, order = 'satisfaction' } = route.useSearch();
  const navigate = route.useNavigate();
  const quality = useQuery(qualityQuery(Number(days), order));
  const show = (search: Partial<ReturnType<typeof route.useSearch>>) =>
    navigate({ search: (now) => ({ ...now, ...search }), replace: true });
  return (
    <Page
      title={admin.pages.quality}
      description={texts.quality.description}
      isWide
      actions={
        <>
          <Select
            label={texts.quality.order}
            isLabelHidden
            className="w-72"
            value={order}
            onChange={(chosen: (typeof QUALITY_ORDERS)[number]) => void show({ order: chosen })}
            options={QUALITY_ORDERS.map((id) => ({ id, name: texts.quality.orders[id] }))}
          />
          <DaysChoice days={days} onChoose={(chosen) => show({ days: chosen })} />
        </>
      }
    >
      <Loaded query={quality}>
        {({ bots, as_of }) => (
          <>
            <Table
              label={admin.pages.quality}
              columns={columnsOf(texts, days)}
              rows={bots}
              keyOf={({ id }) => id}
              empty={<EmptyState title={texts.quality.emptyTitle} text={texts.quality.emptyText} />}
            />
            {as_of && <p className="text-xs text-muted">{common.asOf(formatTime(as_of.time))}</p>}
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Texts = ReturnType<typeof useAdminMessages>['admin']['people']['bots'];

const columnsOf = (texts: Texts, days: DayCount): readonly Column<BotQuality>[] => [
  {
    id: 'bot',
    name: texts.bot,
    cell: (bot) => (
      <div className="flex min-w-52 items-center gap-3">
        <BotIcon bot={bot} />
        <Link to="/admin/bots/$botId" params={{ botId: bot.id }} search={{ days }} className={`font-medium ${linkLook}`}>
          {bot.title}
        </Link>
      </div>
    ),
  },
  { id: 'queries', name: texts.queries, align: 'end', cell: ({ query_count }) => formatNumber(query_count) },
  {
    id: 'satisfaction',
    name: texts.satisfaction,
    align: 'end',
    cell: ({ satisfaction }) => (satisfaction === null ? texts.noRatings : formatPercent(satisfaction)),
  },
  { id: 'up', name: texts.thumbsUp, align: 'end', cell: ({ thumbs_up }) => formatNumber(thumbs_up) },
  {
    id: 'down',
    name: texts.thumbsDown,
    align: 'end',
    cell: ({ id, title, thumbs_down }) =>
      thumbs_down === 0 ? (
        formatNumber(thumbs_down)
      ) : (
        <Link
          to="/admin/bots/$botId/ratings"
          params={{ botId: id }}
          search={{ days }}
          aria-label={texts.ratings.countOf(formatNumber(thumbs_down), title)}
          className={linkLook}
        >
          {formatNumber(thumbs_down)}
        </Link>
      ),
  },
  {
    id: 'rated',
    name: texts.ratedShare,
    align: 'end',
    cell: ({ rated_share }) => (rated_share === null ? texts.quality.noReplies : formatPercent(rated_share)),
  },
];
