import { useQuery } from '@tanstack/react-query';
import { botFigures } from '../../../../api/bot-figures.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { QueriesTable } from './queries-table.tsx';

export function PopularQueries({ botId, days }: { readonly botId: string; readonly days: number }) {
  const { bots: texts } = useAdminMessages().admin.people;
  const popular = useQuery(botFigures(botId, days).popular);
  return (
    <Section title={texts.popular} description={texts.popularText}>
      <Loaded query={popular}>
        {(queries) => (
          <QueriesTable label={texts.popular} queries={queries} empty={<p className="text-sm text-muted">{texts.noQueries}</p>} />
        )}
      </Loaded>
    </Section>
  );
}
