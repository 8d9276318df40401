import type { CostSummary } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMoney, formatMonth, formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { LinkButton } from '../../../../ui/button.tsx';
import { Page, Section } from '../../../../ui/page.tsx';
import { EmptyState, ErrorNote, Loaded } from '../../../../ui/states.tsx';
import { DailyCosts } from '../costs/daily-costs.tsx';
import { spanBefore, spanOfMonth } from '../costs/cost-period.ts';
import { useChangeText } from '../costs/use-change-text.ts';
import { Figures } from '../../../../ui/figures.tsx';
import { monthOf } from '../../../../calendar/months.ts';
import { costsQuery } from '../queries.ts';
import { ShareBar } from '../share-bar.tsx';
import { ServicesLine } from './services-line.tsx';

const TOP = 5;
/** The most rows that the API returns, to count users and bots. */
const COUNTED = 100;

/** This month at a glance. */
export function OverviewPage() {
  const { common, admin } = useAdminMessages();
  const { costs: texts } = admin.people;
  const month = monthOf(new Date());
  const span = spanOfMonth(month);
  const costs = useQuery(costsQuery(span, COUNTED));
  const before = useQuery(costsQuery(spanBefore(span), TOP));
  return (
    <Page
      title={admin.pages.overview}
      description={texts.overview.description(formatMonth(month))}
      isWide
      actions={<LinkButton href="/admin/costs">{texts.overview.allCosts}</LinkButton>}
    >
      <ServicesLine />
      <Loaded query={costs}>
        {(summary) => (
          <>
            {before.error !== null && <ErrorNote error={before.error} />}
            <MonthFigures summary={summary} before={before.data} />
            <div className="rounded-md border border-line bg-raised p-5 max-sm:p-4">
              <DailyCosts span={span} summary={summary} before={before.data} isCorrected={false} />
            </div>
            <Tops summary={summary} />
            {summary.as_of && <p className="text-xs text-muted">{common.asOf(formatTime(summary.as_of.time))}</p>}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function MonthFigures({ summary, before }: { readonly summary: CostSummary; readonly before: CostSummary | undefined }) {
  const { costs: texts } = useAdminMessages().admin.people;
  const changeText = useChangeText();
  const projected = summary.projected_total_cost;
  const note = projected === null || before === undefined ? undefined : changeText(projected, before.total_cost);
  return (
    <Figures
      figures={[
        { name: texts.overview.thisMonth, value: formatMoney(summary.total_cost) },
        ...(projected === null ? [] : [{ name: texts.projected, value: formatMoney(projected), note }]),
        { name: texts.overview.lastMonth, value: before === undefined ? '–' : formatMoney(before.total_cost) },
        { name: texts.overview.activeUsers, value: counted(summary.top_users.length) },
        { name: texts.overview.activeBots, value: counted(summary.top_bots.length) },
      ]}
    />
  );
}

const counted = (n: number): string => (n < COUNTED ? formatNumber(n) : `${formatNumber(COUNTED)}+`);

function Tops({ summary }: { readonly summary: CostSummary }) {
  const { people } = useAdminMessages().admin;
  const texts = people.costs.overview;
  if (summary.top_users.length === 0 && summary.top_bots.length === 0) {
    return <EmptyState title={texts.emptyTitle} text={texts.emptyText} />;
  }
  const total = summary.total_cost;
  return (
    <div className="grid grid-cols-2 items-start gap-5 max-lg:grid-cols-1">
      <Top
        title={texts.topUsers}
        all={
          <LinkButton size="small" look="quiet" href="/admin/users">
            {texts.allUsers}
          </LinkButton>
        }
      >
        {summary.top_users.slice(0, TOP).map(({ user_id, email, total_cost }) => (
          <TopLine key={user_id} cost={total_cost} total={total}>
            <Link to="/admin/users/$userId" params={{ userId: user_id }} className={lineLink}>
              {email ?? people.erasedUser}
            </Link>
          </TopLine>
        ))}
      </Top>
      <Top
        title={texts.topBots}
        all={
          <LinkButton size="small" look="quiet" href="/admin/bots">
            {texts.allBots}
          </LinkButton>
        }
      >
        {summary.top_bots.slice(0, TOP).map(({ bot_id, title, total_cost }) => (
          <TopLine key={bot_id} cost={total_cost} total={total}>
            <Link to="/admin/bots/$botId" params={{ botId: bot_id }} className={lineLink}>
              {title ?? people.unknownBot}
            </Link>
          </TopLine>
        ))}
      </Top>
    </div>
  );
}

const lineLink = 'block truncate text-accent underline-offset-4 hover:underline max-sm:leading-11';

function Top({ title, all, children }: { readonly title: string; readonly all: ReactNode; readonly children: readonly ReactNode[] }) {
  const { empty } = useAdminMessages().admin.people.costs;
  return (
    <Section title={title} actions={all}>
      {children.length === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <ul aria-label={title} className="flex flex-col divide-y divide-line">
          {children}
        </ul>
      )}
    </Section>
  );
}

function TopLine({ cost, total, children }: { readonly cost: number; readonly total: number; readonly children: ReactNode }) {
  return (
    <li className="grid min-h-10 grid-cols-[minmax(0,1fr)_8rem_5.5rem] items-center gap-3 text-sm max-sm:grid-cols-[minmax(0,1fr)_5.5rem]">
      {children}
      <span className="max-sm:hidden">
        <ShareBar share={total === 0 ? 0 : cost / total} />
      </span>
      <span className="text-end font-medium tabular-nums">{formatMoney(cost)}</span>
    </li>
  );
}
