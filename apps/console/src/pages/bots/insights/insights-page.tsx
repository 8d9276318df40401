import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { botFigures } from '../../../api/bot-figures.ts';
import { formatMoney, formatNumber, formatPercent, formatTime } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { isAdmin, useMe } from '../../../session/use-me.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Select } from '../../../ui/fields/index.ts';
import { Figures } from '../../../ui/figures.tsx';
import { Section } from '../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { useBot, useMayShare } from '../bot-queries.ts';
import { DAYS } from './insights-search.ts';
import { PopularQueries, Ratings } from './ratings.tsx';

const route = getRouteApi('/signed-in/bots/$botId/insights');

/** The server answers these queries only for administrators. */
export function InsightsPage() {
  const {
    common,
    bots: { header, insights },
  } = useMessages();
  const { botId } = route.useParams();
  const { days = 30 } = route.useSearch();
  const navigate = route.useNavigate();
  const me = useMe();
  const bot = useBot(botId);
  const mayShare = useMayShare(bot);
  const analytics = useQuery({
    ...botFigures(botId, days).analytics,
    enabled: isAdmin(me),
  });
  if (!mayShare) return <EmptyState title={header.ownerOnlyTitle} text={header.ownerOnlyText} />;
  if (!isAdmin(me)) return <EmptyState title={insights.notAdminTitle} text={insights.notAdminText} />;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-4">
        <Select
          label={insights.window}
          className="w-48"
          value={String(days)}
          options={DAYS.map((n) => ({ id: String(n), name: insights.days(n) }))}
          onChange={(id) => void navigate({ search: { days: DAYS.find((n) => String(n) === id) }, replace: true })}
        />
        {analytics.data?.as_of && <p className="pb-2 text-xs text-muted">{common.asOf(formatTime(analytics.data.as_of.time))}</p>}
      </div>
      <Loaded query={analytics}>
        {(data) => (
          <>
            <Figures
              figures={[
                { name: insights.queries, value: formatNumber(data.total_queries) },
                { name: insights.users, value: formatNumber(data.unique_users) },
                {
                  name: insights.satisfaction,
                  value: data.average_satisfaction === null ? '–' : formatPercent(data.average_satisfaction),
                  note: data.average_satisfaction === null ? insights.noRatings : undefined,
                },
                { name: insights.cost, value: formatMoney(data.as_corrected) },
              ]}
            />
            <Section title={insights.queries}>
              <DayChart
                label={insights.queriesByDay}
                kind="bars"
                format={formatNumber}
                series={[
                  { name: insights.queries, points: data.daily.map(({ date, query_count: value }) => ({ date, value })) },
                  { name: insights.users, points: data.daily.map(({ date, unique_users: value }) => ({ date, value })) },
                ]}
              />
            </Section>
            <Section title={insights.cost}>
              <DayChart
                label={insights.costByDay}
                kind="bars"
                format={formatMoney}
                series={[{ name: insights.cost, points: data.daily.map(({ date, as_corrected: value }) => ({ date, value })) }]}
              />
            </Section>
            <PopularQueries botId={botId} days={days} />
            <Ratings botId={botId} days={days} daily={data.daily} />
          </>
        )}
      </Loaded>
    </div>
  );
}
