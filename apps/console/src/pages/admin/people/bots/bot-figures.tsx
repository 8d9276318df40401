import { useQuery } from '@tanstack/react-query';
import { botFigures } from '../../../../api/bot-figures.ts';
import { formatMoney, formatNumber, formatPercent, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { DayChart } from '../../../../ui/charts/day-chart.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { Figures } from '../../../../ui/figures.tsx';

const box = 'min-w-0 rounded-md border border-line bg-raised p-5 max-sm:p-4';

export function BotFigures({ botId, days }: { readonly botId: string; readonly days: number }) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.bots;
  const analytics = useQuery(botFigures(botId, days).analytics);
  return (
    <Loaded query={analytics}>
      {({ total_queries, unique_users, average_satisfaction, total_cost, daily, as_of }) => {
        const series = (name: string, field: 'query_count' | 'cost') => [
          { name, points: daily.map((day) => ({ date: day.date, value: day[field] })) },
        ];
        return (
          <>
            <Figures
              figures={[
                { name: texts.queries, value: formatNumber(total_queries) },
                { name: texts.uniqueUsers, value: formatNumber(unique_users) },
                {
                  name: texts.satisfaction,
                  value: average_satisfaction === null ? '–' : formatPercent(average_satisfaction),
                  note: average_satisfaction === null ? texts.noRatings : undefined,
                },
                { name: texts.cost, value: formatMoney(total_cost) },
              ]}
            />
            <div className="grid grid-cols-2 gap-5 max-lg:grid-cols-1">
              <div className={box}>
                <DayChart label={texts.queriesPerDay} kind="bars" series={series(texts.queries, 'query_count')} format={formatNumber} />
              </div>
              <div className={box}>
                <DayChart label={texts.costPerDay} kind="bars" series={series(texts.cost, 'cost')} format={formatMoney} />
              </div>
            </div>
            {as_of && <p className="text-xs text-muted">{common.asOf(formatTime(as_of.time))}</p>}
          </>
        );
      }}
    </Loaded>
  );
}
