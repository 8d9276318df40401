import type { PublishedBot } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatDate, formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { LinkButton } from '../../../../ui/button.tsx';
import { CopyButton } from '../../../../ui/copy-button.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { BotIcon } from '../../../bots/icon/bot-icon.tsx';
import { publishedBotsQuery } from '../queries.ts';
import { Paged } from '../../../../ui/paging/paged.tsx';

const route = getRouteApi('/signed-in/admin/apis');

export function ApisPage() {
  const { common, admin } = useAdminMessages();
  const { apis: texts } = admin.people.bots;
  const search = route.useSearch();
  const apis = useQuery(publishedBotsQuery(search));
  const columns: readonly Column<PublishedBot>[] = [
    {
      id: 'bot',
      name: texts.bot,
      cell: (bot) => (
        <span className="flex items-center gap-3">
          <BotIcon bot={bot} />
          <Link to="/admin/bots/$botId" params={{ botId: bot.id }} className={`inline-block min-w-36 font-medium ${linkLook}`}>
            {bot.title}
          </Link>
        </span>
      ),
    },
    {
      id: 'endpoint',
      name: texts.endpoint,
      cell: ({ endpoint }) => (
        <span className="flex items-center gap-1">
          <code className="min-w-40 font-mono text-xs">{endpoint}</code>
          <CopyButton text={endpoint} label={texts.copyEndpoint} />
        </span>
      ),
    },
    { id: 'requests', name: texts.requests, align: 'end', cell: ({ request_count }) => formatNumber(request_count) },
    {
      id: 'published',
      name: texts.published,
      cell: ({ published_datetime }) => <span className="whitespace-nowrap">{formatDate(published_datetime)}</span>,
    },
    {
      id: 'actions',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: ({ id, title }) => (
        <LinkButton size="small" href={`/bots/${id}/publish`} aria-label={texts.manageOf(title)}>
          {texts.manage}
        </LinkButton>
      ),
    },
  ];
  return (
    <Page
      title={admin.pages.apis}
      description={texts.description}
      isWide
      actions={<CsvButton onDownload={() => downloadCsv('/admin/published-bots', {}, 'published-apis.csv')} />}
    >
      <Paged query={apis} token={search.token}>
        {({ bots }) => (
          <Table
            label={texts.label}
            columns={columns}
            rows={bots}
            keyOf={({ id }) => id}
            empty={
              <EmptyState title={texts.emptyTitle} text={texts.emptyText} action={<LinkButton href="/bots">{texts.toBots}</LinkButton>} />
            }
          />
        )}
      </Paged>
    </Page>
  );
}
