import type { PopularQuery } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { botFigures } from '../../../../api/bot-figures.ts';
import { formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';

export function PopularQueries({ botId, days }: { readonly botId: string; readonly days: number }) {
  const { bots: texts } = useAdminMessages().admin.people;
  const popular = useQuery(botFigures(botId, days).popular);
  const columns: readonly Column<PopularQuery>[] = [
    { id: 'query', name: texts.query, cell: ({ query }) => <span className="line-clamp-3">{query}</span> },
    { id: 'count', name: texts.count, align: 'end', cell: ({ count }) => formatNumber(count) },
  ];
  return (
    <Section title={texts.popular} description={texts.popularText}>
      <Loaded query={popular}>
        {(queries) => (
          <Table
            label={texts.popular}
            columns={columns}
            rows={queries}
            keyOf={({ query }) => query}
            empty={<p className="text-sm text-muted">{texts.noQueries}</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}
