import type { BotSatisfaction } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { botFigures } from '../../../../api/bot-figures.ts';
import { formatNumber, formatPercent, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { useMessages } from '../../../../messages/index.ts';
import { Facts } from '../../../../ui/facts.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import type { DAY_COUNTS } from '../search.ts';
import { categoryName } from './category-name.ts';

interface Props {
  readonly botId: string;
  readonly days: (typeof DAY_COUNTS)[number];
}

export function BotSatisfactionSection({ botId, days }: Props) {
  const { chat } = useMessages();
  const { bots: texts } = useAdminMessages().admin.people;
  const satisfaction = useQuery(botFigures(botId, Number(days)).satisfaction);
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
                  [
                    texts.thumbsDown,
                    thumbs_down === 0 ? (
                      formatNumber(thumbs_down)
                    ) : (
                      <Link to="/admin/bots/$botId/ratings" params={{ botId }} search={{ days }} className={linkLook}>
                        {texts.ratings.count(formatNumber(thumbs_down))}
                      </Link>
                    ),
                  ],
                  [texts.ratedShare, rated_share === null ? null : formatPercent(rated_share)],
                  ...Object.entries(by_category).map(
                    ([category, count]) => [categoryName(category, chat.feedbackReasons), formatNumber(count)] as const,
                  ),
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
  const { chat } = useMessages();
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
                {category !== null && ` · ${categoryName(category, chat.feedbackReasons)}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
