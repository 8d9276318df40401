import type { BotSatisfaction } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { botFigures } from '../../../../api/bot-figures.ts';
import { formatNumber, formatPercent, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Facts } from '../../../../ui/facts.tsx';
import { Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';

export function BotSatisfactionSection({ botId, days }: { readonly botId: string; readonly days: number }) {
  const { bots: texts } = useAdminMessages().admin.people;
  const satisfaction = useQuery(botFigures(botId, days).satisfaction);
  return (
    <Section title={texts.satisfaction}>
      <Loaded query={satisfaction}>
        {(answer) => {
          const { thumbs_up, thumbs_down, rated_share, by_category } = answer;
          if (thumbs_up + thumbs_down === 0) return <p className="text-sm text-muted">{texts.noRatings}</p>;
          return (
            <>
              <Facts
                facts={[
                  [texts.thumbsUp, formatNumber(thumbs_up)],
                  [texts.thumbsDown, formatNumber(thumbs_down)],
                  [texts.ratedShare, rated_share === null ? null : formatPercent(rated_share)],
                  ...Object.entries(by_category).map(([category, count]) => [categoryName(category), formatNumber(count)] as const),
                ]}
              />
              <Comments comments={answer.comments} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Comments({ comments }: Pick<BotSatisfaction, 'comments'>) {
  const { bots: texts } = useAdminMessages().admin.people;
  return (
    <>
      <h3 className="text-sm font-semibold">{texts.comments}</h3>
      {comments.length === 0 ? (
        <p className="text-sm text-muted">{texts.noComments}</p>
      ) : (
        <ul aria-label={texts.comments} className="flex max-h-96 flex-col divide-y divide-line overflow-y-auto" tabIndex={0}>
          {comments.map(({ message_id, category, comment, create_time }) => (
            <li key={message_id} className="py-2 text-sm">
              <p className="whitespace-pre-wrap">{comment}</p>
              <p className="text-xs text-muted">
                {formatTime(create_time)}
                {category !== null && ` · ${categoryName(category)}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Categories are chosen by clients, such as `notHelpful` or `not_helpful`. */
const categoryName = (category: string): string => {
  const words = category
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};
