import type { BotAnalytics, BotSatisfaction } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { botFigures } from '../../../api/bot-figures.ts';
import { formatNumber, formatPercent, formatTime } from '../../../messages/format.ts';
import { useMessages } from '../../../messages/index.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { Section } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';

interface WindowProps {
  readonly botId: string;
  readonly days: number;
}

export function PopularQueries({ botId, days }: WindowProps) {
  const { insights } = useMessages().bots;
  const queries = useQuery(botFigures(botId, days).popular);
  return (
    <Section title={insights.popular} description={insights.popularText}>
      <Loaded query={queries}>
        {(rows) => (
          <Table
            label={insights.popular}
            rows={rows}
            keyOf={({ query }) => query}
            empty={<p className="text-sm text-muted">{insights.noQueries}</p>}
            columns={[
              { id: 'query', name: insights.query, cell: ({ query }) => <span className="line-clamp-3">{query}</span> },
              { id: 'count', name: insights.count, align: 'end', cell: ({ count }) => formatNumber(count) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

export function Ratings({ botId, days, daily }: WindowProps & Pick<BotAnalytics, 'daily'>) {
  const { insights } = useMessages().bots;
  const satisfaction = useQuery(botFigures(botId, days).satisfaction);
  return (
    <>
      <Section title={insights.ratings}>
        <Loaded query={satisfaction}>{(data) => <Rated satisfaction={data} daily={daily} />}</Loaded>
      </Section>
      <Section title={insights.comments} description={insights.commentsText}>
        <Loaded query={satisfaction}>{({ comments }) => <Comments comments={comments} />}</Loaded>
      </Section>
    </>
  );
}

/** The category's text as the user saw it. */
function useCategoryName() {
  const reasons: Readonly<Record<string, string>> = useMessages().chat.feedbackReasons;
  return (category: string) => reasons[category] ?? category;
}

function Rated({ satisfaction, daily }: { readonly satisfaction: BotSatisfaction } & Pick<BotAnalytics, 'daily'>) {
  const { insights } = useMessages().bots;
  const nameOf = useCategoryName();
  const { thumbs_up: up, thumbs_down: down, rated_share: rated, by_category: byCategory } = satisfaction;
  const categories = Object.entries(byCategory).toSorted(([, a], [, b]) => b - a);
  if (up + down === 0) return <p className="text-sm text-muted">{insights.noRatings}</p>;
  return (
    <>
      <p className="flex flex-wrap gap-x-5 text-sm">
        <span>
          {insights.up}: <span className="tabular-nums">{formatNumber(up)}</span>
        </span>
        <span>
          {insights.down}: <span className="tabular-nums">{formatNumber(down)}</span>
        </span>
        {rated !== null && <span className="text-muted">{insights.rated(formatPercent(rated))}</span>}
      </p>
      <DayChart
        label={insights.satisfactionByDay}
        kind="line"
        format={formatPercent}
        series={[{ name: insights.satisfaction, points: daily.map(({ date, satisfaction: value }) => ({ date, value })) }]}
      />
      {categories.length > 0 && (
        <Table
          label={insights.categories}
          rows={categories}
          keyOf={([category]) => category}
          columns={[
            { id: 'category', name: insights.category, cell: ([category]) => nameOf(category) },
            { id: 'count', name: insights.count, align: 'end', cell: ([, count]) => formatNumber(count) },
          ]}
        />
      )}
    </>
  );
}

function Comments({ comments }: Pick<BotSatisfaction, 'comments'>) {
  const { insights } = useMessages().bots;
  const nameOf = useCategoryName();
  if (comments.length === 0) return <p className="text-sm text-muted">{insights.noComments}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {comments.map(({ message_id: id, comment, category, create_time: time }) => (
        <li key={id} className="rounded-sm border border-line p-3">
          <p className="text-sm whitespace-pre-wrap">{comment}</p>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-muted">
            {category !== null && <Tag>{nameOf(category)}</Tag>}
            {formatTime(time)}
          </p>
        </li>
      ))}
    </ul>
  );
}
