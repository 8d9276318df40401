import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Select } from '../../../../ui/fields/index.ts';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { questionsQuery } from '../queries.ts';
import { DEFAULT_DAYS } from '../search.ts';
import { DaysChoice } from './days-choice.tsx';
import { QueriesTable } from './queries-table.tsx';

const route = getRouteApi('/signed-in/admin/questions');

/** What users ask, with all bots and without one. */
export function QuestionsPage() {
  const { admin } = useAdminMessages();
  const { bots: texts } = admin.people;
  const { days = DEFAULT_DAYS, bots } = route.useSearch();
  const navigate = route.useNavigate();
  const questions = useQuery(questionsQuery(Number(days), bots === 'none'));
  const show = (search: Partial<ReturnType<typeof route.useSearch>>) =>
    navigate({ search: (now) => ({ ...now, ...search }), replace: true });
  return (
    <Page
      title={admin.pages.questions}
      description={texts.questions.description}
      isWide
      actions={
        <>
          <Select
            label={texts.questions.which}
            isLabelHidden
            className="w-56"
            value={bots ?? 'all'}
            onChange={(chosen: 'all' | 'none') => void show({ bots: chosen === 'none' ? chosen : undefined })}
            options={[
              { id: 'all', name: texts.questions.all },
              { id: 'none', name: texts.questions.withoutBot },
            ]}
          />
          <DaysChoice days={days} onChoose={(chosen) => show({ days: chosen })} />
        </>
      }
    >
      <Loaded query={questions}>
        {(queries) => (
          <QueriesTable
            label={admin.pages.questions}
            queries={queries}
            empty={<EmptyState title={texts.questions.emptyTitle} text={texts.questions.emptyText} />}
          />
        )}
      </Loaded>
    </Page>
  );
}
