import type { BadRating } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadCsv } from '../../../../../api/download-csv.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatTime } from '../../../../../messages/format.ts';
import { useMessages } from '../../../../../messages/index.ts';
import { Button, LinkButton } from '../../../../../ui/button.tsx';
import { CsvButton } from '../../../../../ui/csv-button.tsx';
import { linkLook } from '../../../../../ui/link-look.ts';
import { Page } from '../../../../../ui/page.tsx';
import { Paged } from '../../../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../../../ui/states.tsx';
import { type Column, Table } from '../../../../../ui/table.tsx';
import { badRatingsQuery, publicBotQuery } from '../../queries.ts';
import { DEFAULT_DAYS } from '../../search.ts';
import { DaysChoice } from '../days-choice.tsx';
import { categoryName } from '../category-name.ts';
import { ReplyDialog } from './reply-dialog.tsx';

const route = getRouteApi('/signed-in/admin/bots/$botId/ratings');

/** The replies of a bot that users rated as bad, newest first. */
export function BadRatingsPage() {
  const { bots: texts } = useAdminMessages().admin.people;
  const { botId } = route.useParams();
  const { days = DEFAULT_DAYS, token } = route.useSearch();
  const navigate = route.useNavigate();
  const bot = useQuery(publicBotQuery(botId)).data;
  const ratings = useQuery(badRatingsQuery(botId, Number(days), token));
  const [opened, setOpened] = useState<BadRating | null>(null);
  const columns = useColumns(setOpened);
  return (
    <Page
      title={bot === undefined ? texts.ratings.title : texts.ratings.titleOf(bot.title)}
      description={texts.ratings.description}
      isWide
      actions={
        <>
          <DaysChoice days={days} onChoose={(chosen) => navigate({ search: { days: chosen }, replace: true })} />
          <CsvButton onDownload={() => downloadCsv(`/admin/bots/${botId}/bad-ratings`, { days: Number(days) }, 'ratings.csv')} />
          <LinkButton href={`/admin/bots/${botId}?days=${days}`}>{texts.ratings.figures}</LinkButton>
        </>
      }
    >
      <Paged query={ratings} token={token}>
        {(page) => (
          <Table
            label={texts.ratings.title}
            columns={columns}
            rows={page.ratings}
            keyOf={({ message_id }) => message_id}
            empty={
              page.next_token !== null || token !== undefined ? (
                <p className="text-sm text-muted">{texts.ratings.emptyPage}</p>
              ) : (
                <EmptyState title={texts.ratings.emptyTitle} text={texts.ratings.emptyText} />
              )
            }
          />
        )}
      </Paged>
      {opened?.user_id != null && <ReplyDialog rating={opened} userId={opened.user_id} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function useColumns(onOpen: (rating: BadRating) => void): readonly Column<BadRating>[] {
  const { common, chat } = useMessages();
  const { ratings: texts } = useAdminMessages().admin.people.bots;
  const missing = ({ is_removed }: BadRating, text: string) => <span className="text-muted">{is_removed ? texts.removed : text}</span>;
  return [
    { id: 'time', name: texts.time, cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span> },
    {
      id: 'user',
      name: texts.user,
      cell: (rating) =>
        rating.user_id === null ? (
          missing(rating, texts.nameless)
        ) : (
          <Link to="/admin/users/$userId" params={{ userId: rating.user_id }} className={linkLook}>
            {rating.user_name ?? texts.nameless}
          </Link>
        ),
    },
    {
      id: 'reason',
      name: texts.reason,
      cell: ({ category }) =>
        category === null ? <span className="text-muted">{texts.noReason}</span> : categoryName(category, chat.feedbackReasons),
    },
    {
      id: 'comment',
      name: texts.comment,
      cell: (rating) =>
        rating.comment === null ? (
          missing(rating, texts.noComment)
        ) : (
          <span className="line-clamp-3 max-w-xl whitespace-pre-wrap">{rating.comment}</span>
        ),
    },
    {
      id: 'reply',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: (rating) =>
        rating.user_id !== null && (
          <Button size="small" aria-label={texts.showOf(formatTime(rating.create_time))} onPress={() => onOpen(rating)}>
            {texts.show}
          </Button>
        ),
    },
  ];
}
